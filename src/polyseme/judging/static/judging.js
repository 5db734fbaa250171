// The one script of the judging pages: answers by mouse and keyboard, the time they took, and an
// outbox that loses nothing. What it says to the server stands in polyseme/judging/protocol.py.
"use strict";

(() => {
  const body = document.body;
  const texts = JSON.parse(body.dataset.messages || "{}");
  const find = (selector, inside = document) => inside.querySelector(selector);
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const say = (name, values = {}) =>
    (texts[name] ?? name).replace(/\{(\w+)\}/g, (gap, key) => values[key] ?? gap);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  // ---- what this browser remembers ---------------------------------------------------------

  /** localStorage; what it does not take, where there is none or it is full, until the page goes. */
  const kept = {
    held: new Map(),
    get(name) {
      try {
        return this.held.get(name) ?? localStorage.getItem(name);
      } catch {
        return this.held.get(name) ?? null;
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(name, value);
        this.held.delete(name);
      } catch {
        this.held.set(name, value);
        tell("script.no_store", "warn");
      }
    },
    remove(name) {
      this.held.delete(name);
      try {
        localStorage.removeItem(name);
      } catch { /* it was held */ }
    },
    names(prefix) {
      const found = new Set(this.held.keys());
      try {
        for (let place = 0; place < localStorage.length; place++) found.add(localStorage.key(place));
      } catch { /* there are the held ones */ }
      return [...found].filter((name) => name?.startsWith(prefix)).sort();
    },
  };

  /** 128 random bits; randomUUID is only there over https. */
  const newKey = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ---- telling ------------------------------------------------------------------------------

  const notices = find("#notices");

  /** A notice that stays until it is closed or `forget`; the same one is not told twice. */
  function tell(name, tone, values) {
    forget(name);
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.dataset.tone = tone;
    notice.dataset.name = name;
    const words = document.createElement("span");
    words.textContent = say(name, values);
    const close = document.createElement("button");
    close.type = "button";
    close.className = "button small";
    close.textContent = say("script.close");
    close.addEventListener("click", () => notice.remove());
    notice.append(words, close);
    notices.append(notice);
  }
  const forget = (name) => all(".notice", notices).forEach((each) => each.dataset.name === name && each.remove());

  // ---- the outbox ---------------------------------------------------------------------------

  const mine = `polyseme:${body.dataset.study}:${body.dataset.judge}:`;
  const outbox = `${mine}out:`;
  const tab = newKey();
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(mine) : null;
  const FIRST_WAIT = 1000;
  const LONGEST_WAIT = 30000;
  const PATIENCE = 15000;

  /**
   * Things that were said and that the server has not confirmed, each in a slot of its own so that
   * tabs do not overwrite each other's. A thing is removed only when a reply tells its fate.
   */
  const Outbox = {
    wait: FIRST_WAIT,
    timer: 0,
    busy: false,
    again: false,
    stuck: "",
    listeners: new Set(),

    names: () => kept.names(outbox),
    read(name) {
      try {
        return JSON.parse(kept.get(name));
      } catch {
        return null;
      }
    },
    of(item) {
      return this.names().map((name) => this.read(name)).filter((entry) => entry && entry.item === item);
    },
    add(entry) {
      // after everything that waits, also where the clock was set back
      const last = this.names().at(-1);
      const after = last ? Number(last.slice(outbox.length, outbox.length + 15)) + 1 : 0;
      const stamp = String(Math.max(Date.now(), after)).padStart(15, "0");
      kept.set(`${outbox}${stamp}:${entry.key}`, JSON.stringify({ ...entry, tab }));
      this.changed();
      this.flush();
    },
    changed() {
      if (!this.names().length) {
        // also where another tab sent it
        this.stuck = "";
        forget("script.unreachable");
        forget("script.session_over");
      }
      show();
      this.listeners.forEach((listener) => listener());
    },

    /** Resolves once nothing about the item waits; false if that takes longer than `ms`. */
    async settled(item, ms) {
      const end = Date.now() + ms;
      while (this.of(item).length) {
        if (Date.now() >= end || this.stuck === "session") return false;
        await Promise.race([
          pause(Math.min(250, Math.max(1, end - Date.now()))),
          new Promise((done) => {
            const listener = () => { this.listeners.delete(listener); done(); };
            this.listeners.add(listener);
          }),
        ]);
      }
      return true;
    },

    async flush() {
      if (!body.dataset.judge) return;
      if (this.busy) { this.again = true; return; }
      this.busy = true;
      clearTimeout(this.timer);
      try {
        do {
          this.again = false;
          await alone(`${mine}sending`, () => this.sendAll());
        } while (this.again && !this.stuck);
      } finally {
        this.busy = false;
      }
    },

    async sendAll() {
      for (let name; (name = this.names()[0]); ) {
        const entry = this.read(name);
        if (!entry || !entry.key) { kept.remove(name); continue; }
        if (entry.revision === null) {
          // fixed before it is sent the first time: the same key always says the same
          entry.revision = Number(kept.get(`${mine}revision:${entry.item}`) ?? 0);
          kept.set(name, JSON.stringify(entry));
        }
        const reply = await post(entry);
        if (reply.later) return this.retry(reply);
        this.wait = FIRST_WAIT;
        this.stuck = "";
        this.settle(name, entry, reply);
      }
      this.changed();
    },

    /** A reply that tells what became of it. */
    settle(name, entry, reply) {
      const now = reply.ok ? reply.body : reply.body.judgment;
      if (now) kept.set(`${mine}revision:${entry.item}`, String(now.revision));
      kept.remove(name);
      if (!reply.ok) {
        // what was said after it about this item was said of a page that is no longer so
        for (const other of this.names()) if (this.read(other)?.item === entry.item) kept.remove(other);
      }
      const news = { item: entry.item, key: entry.key, tab: entry.tab, ok: reply.ok, error: reply.body.error ?? "", now, kind: entry.kind };
      channel?.postMessage(news);
      heard(news, true);
      this.changed();
    },

    retry(reply) {
      this.stuck = reply.later;
      if (reply.later === "session") tell("script.session_over", "bad");
      else if (this.wait > FIRST_WAIT) tell("script.unreachable", "warn");
      this.changed();
      const wait = reply.wait ?? (reply.later === "session" ? PATIENCE : this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), wait);
    },
  };

  /** One tab at a time. Locks are there over https and on this machine; elsewhere a lease does. */
  async function alone(name, work) {
    if (navigator.locks) return navigator.locks.request(name, work);
    const lease = `${name}:lease`;
    for (;;) {
      const [holder, until] = (kept.get(lease) ?? " 0").split(" ");
      if (holder === tab || Number(until) < Date.now()) break;
      await pause(200);
    }
    const renew = () => kept.set(lease, `${tab} ${Date.now() + 5000}`);
    renew();
    const timer = setInterval(renew, 1000);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      kept.remove(lease);
    }
  }

  /** Sends one thing: `ok` with a reply, a refusal that is final, or `later`. */
  async function post(entry) {
    const { tab: _, ...said } = entry;
    let response;
    let told;
    try {
      response = await fetch("/api/judgments", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(said),
        keepalive: true,
        signal: AbortSignal.timeout(PATIENCE),
      });
      told = await response.json();
    } catch {
      return { later: "unreachable" };
    }
    if (response.ok && Number.isInteger(told?.revision)) return { ok: true, body: told };
    if (response.status === 401) return { later: "session" };
    // only what the study itself refuses is final: anything else may come from what stands between
    const final = typeof told?.error === "string" && [400, 404, 409, 413, 415, 422].includes(response.status);
    if (!final) {
      const wait = Number(response.headers.get("Retry-After"));
      return { later: "unreachable", wait: wait > 0 ? Math.min(wait * 1000, LONGEST_WAIT) : undefined };
    }
    return { ok: false, body: told };
  }

  // ---- the state of saving, always in sight --------------------------------------------------

  const saved = find("#saved");
  let everSaved = false;

  function show() {
    if (!saved || page?.practice) return;
    const waiting = Outbox.names().length;
    const state = !waiting ? (everSaved ? "saved" : "quiet") : Outbox.stuck === "session" ? "session" : Outbox.stuck ? "waiting" : "saving";
    if (saved.dataset.state === state && saved.dataset.n === String(waiting)) return;
    saved.dataset.state = state;
    saved.dataset.n = waiting;
    saved.firstElementChild.textContent = state === "quiet" ? "" : say(`script.${state}`, { n: waiting });
  }

  /** What became of something: `sent` by this tab, or by another one that tells of it. */
  function heard(news, sent) {
    if (news.ok) everSaved = true;
    if (page && !page.practice && news.item === page.item) {
      page.take(news, news.tab === tab || page.adopted.has(news.key));
    } else if (sent && news.error === "stale") tell("script.other_item", "warn");
    else if (sent && news.error && news.error !== "taken") tell("script.dropped", "bad", { error: news.error });
    show();
  }
  channel?.addEventListener("message", (event) => heard(event.data, false));

  // ---- time ----------------------------------------------------------------------------------

  const IDLE = 120000;

  /**
   * Active time. Pauses of two minutes count nothing, nor does a tab that is not seen. What is done
   * inside a document cannot be seen from here, so that while it is under the pointer or has the
   * focus, a pause counts two minutes.
   */
  class Clock {
    constructor(slot) {
      this.slot = slot;
      this.active = Number(kept.get(slot)) || 0;
      this.last = document.hidden ? null : performance.now();
      const touch = () => this.touch();
      for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "scroll", "focusin"])
        addEventListener(name, touch, { capture: true, passive: true });
      addEventListener("blur", touch);
      document.addEventListener("visibilitychange", () => {
        this.touch();
        this.last = document.hidden ? null : performance.now();
        this.keep();
      });
      addEventListener("pagehide", () => { this.touch(); this.keep(); });
    }
    touch() {
      if (this.last === null) return;
      const now = performance.now();
      const gap = now - this.last;
      if (gap < IDLE) this.active += gap;
      else if (reading()) this.active += IDLE;
      this.last = now;
    }
    /** Time that was not told yet waits for the next visit to this item. */
    keep() {
      if (this.active > 0) kept.set(this.slot, String(Math.round(this.active)));
    }
    /** Seconds since they were taken last. */
    take() {
      this.touch();
      const seconds = Math.round(this.active) / 1000;
      this.active = 0;
      kept.remove(this.slot);
      return Math.min(seconds, 86400);
    }
  }
  let over = false;
  const reading = () => over || document.activeElement?.tagName === "IFRAME";

  // ---- one item --------------------------------------------------------------------------------

  class Page {
    constructor(element) {
      this.element = element;
      const data = element.dataset;
      this.item = Number(data.item);
      this.task = data.task;
      this.practice = "practice" in data;
      this.revision = Number(data.revision);
      this.state = data.state;
      this.next = data.next;
      this.last = data.last;
      this.form = find("#questions");
      this.questions = all(".question", this.form);
      this.history = [];
      this.adopted = new Set();
      this.leaving = false;
      this.held = false;
      this.clock = new Clock(`${mine}clock:${this.item}`);
      if (!this.practice) {
        kept.set(`${mine}revision:${this.item}`, String(this.revision));
        // said before the page was closed, and not yet sent: it is what stands
        this.adopted = new Set(Outbox.of(this.item).map((entry) => entry.key));
        const waiting = Outbox.of(this.item).findLast((entry) => entry.kind === "answer");
        if (waiting) this.fill(waiting.answers);
      }
      this.toOpen();
      this.refresh();
      this.listen();
      if (location.hash === "#undo") {
        history.replaceState(null, "", location.pathname);
        this.undo();
      }
    }

    listen() {
      this.form.addEventListener("change", (event) => this.chosen(event.target.closest(".question")));
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.addEventListener("focusin", (event) => {
        const question = event.target.closest(".question");
        if (question) this.activate(question);
      });
      find("#next").addEventListener("click", () => this.goOn());
      find("#undo").addEventListener("click", () => this.undo());
      find("#skip")?.addEventListener("click", () => this.skip());
      find("#cannot-form").addEventListener("submit", (event) => {
        event.preventDefault();
        this.cannot();
      });
      find("#reason-text").addEventListener("input", (event) => {
        if (event.target.value && !find("[name=reason]:checked")) find("#reason-other").checked = true;
      });
    }

    // ---- answers

    answers() {
      const found = {};
      for (const question of this.questions) {
        const input = answerOf(question);
        found[question.dataset.question] = !input ? null : this.task === "preferences" ? input.value : Number(input.value);
      }
      return found;
    }

    fill(answers) {
      for (const question of this.questions) {
        const answer = answers[question.dataset.question];
        for (const input of all("input", question)) input.checked = answer !== undefined && answer !== null && input.value === String(answer);
      }
    }

    /** An answer was chosen: it is said at once, and the next open question is to be answered. */
    chosen(question) {
      const answers = this.answers();
      const given = Object.values(answers);
      const empty = this.task === "votes" && given.every((each) => each === 0);
      // not a vote yet: it stays on the page until it is one
      this.held = empty;
      if (empty) tell("votes.one", "warn");
      else {
        forget("votes.one");
        this.say({ kind: "answer", answers });
      }
      forget("item.unfinished");
      const place = this.questions.indexOf(question);
      const open = [...this.questions.slice(place + 1), ...this.questions.slice(0, place)].find((each) => !answerOf(each));
      if (open && !question.contains(document.activeElement)) this.activate(open, true);
      this.refresh();
    }

    choose(key) {
      const input = find(`input[data-key="${key}"]`, this.active);
      if (!input) return false;
      input.checked = true;
      if (this.active.contains(document.activeElement)) document.activeElement.blur();
      this.chosen(this.active);
      return true;
    }

    activate(question, scroll) {
      if (!question) return;
      this.active = question;
      for (const each of this.questions) each.toggleAttribute("data-active", each === question);
      if (scroll && this.task !== "preferences") question.scrollIntoView({ block: "nearest" });
    }

    /** To the first question without an answer. */
    toOpen() {
      this.activate(this.questions.find((each) => !answerOf(each)) ?? this.questions[0]);
    }

    move(step) {
      const place = this.questions.indexOf(this.active) + step;
      const question = this.questions[Math.max(0, Math.min(this.questions.length - 1, place))];
      this.activate(question, true);
      if (question.contains(document.activeElement)) return;
      document.activeElement?.blur?.();
    }

    say(said) {
      if (this.practice) {
        this.history.push(this.before ?? {});
        this.before = this.answers();
        saved.dataset.state = "saving";
        saved.firstElementChild.textContent = say("script.practice");
        return;
      }
      const queued = Outbox.of(this.item).length > 0;
      Outbox.add({
        item: this.item,
        key: newKey(),
        seconds: this.clock.take(),
        revision: queued ? null : this.revision,
        ...said,
      });
    }

    skip() {
      this.say({ kind: "skip" });
      return this.goOn(true);
    }

    cannot() {
      const chosen = find("[name=reason]:checked");
      const words = find("#reason-text").value.trim();
      const reason = [chosen?.value, words].filter(Boolean).join(": ");
      if (!reason) {
        find("#reason-text").focus();
        return undefined;
      }
      find("#cannot").close();
      this.say({ kind: "cannot", reason });
      return this.goOn(true);
    }

    undo() {
      if (this.practice) {
        if (!this.history.length) return tell("script.nothing", "calm");
        this.before = this.history.pop();
        this.fill(this.before);
        return this.refresh();
      }
      if (this.revision === 0 && !Outbox.of(this.item).length) {
        if (this.last && this.last !== String(this.item)) return this.leave(`/items/${this.last}#undo`);
        return tell("script.nothing", "calm");
      }
      this.held = false;
      return this.say({ kind: "undo" });
    }

    // ---- what the server says

    take(news, own) {
      const now = news.now;
      if (now) {
        this.revision = now.revision;
        this.state = now.state;
        if ("next" in now) this.next = now.next === null ? "" : String(now.next);
        if ("done" in now) {
          find("#progress").max = Math.max(1, now.total);
          find("#progress").value = now.done;
          find("#progress-text").textContent = say("item.progress", now);
        }
        // what was said since then is on the page, and on its way; news may be faster than storage
        if (!own || news.error) this.held = false;
        if (!this.held && !Outbox.of(this.item).some((entry) => entry.key !== news.key)) this.fill(now.answers);
        find("#said").hidden = now.state !== "cannot";
        find("#said-reason").textContent = now.reason ?? "";
        find("#state").dataset.state = now.state;
        find("#state").textContent = say(`state.${now.state}`);
      }
      if (news.error === "stale" || (news.ok && !own)) {
        tell("script.other_tab", "warn");
        this.leaving = false;
        this.toOpen();
      } else if (news.error === "taken") tell("script.taken", "warn");
      else if (news.error === "nothing") tell("script.nothing", "calm");
      else if (news.error) tell("script.dropped", "bad", { error: news.error });
      else if (news.kind === "undo") this.toOpen();
      this.refresh();
    }

    get complete() {
      return this.questions.every(answerOf) && !(this.task === "votes" && Object.values(this.answers()).every((each) => each === 0));
    }

    refresh() {
      for (const question of this.questions) question.toggleAttribute("data-answered", Boolean(answerOf(question)));
      find("#next").setAttribute("aria-disabled", String(!this.complete && this.state !== "cannot" && this.state !== "skipped"));
    }

    // ---- on

    /** On to the next item, when this one is answered and everything about it is saved. */
    async goOn(anyway) {
      if (this.leaving) return;
      if (!anyway && !this.complete && this.state !== "cannot" && !(this.state === "skipped")) {
        const open = this.questions.find((each) => !answerOf(each));
        if (open) {
          this.activate(open, true);
          tell("item.unfinished", "warn");
          find("input", open).focus();
        } else tell("votes.one", "warn");
        return;
      }
      if (this.practice) return void location.assign("/");
      this.leaving = true;
      // a server that is away is waited for: what is on the page stays on it
      while (this.leaving && !(await Outbox.settled(this.item, 3000))) if (Outbox.stuck === "session") break;
      if (this.leaving && !Outbox.of(this.item).length) this.leave(this.next ? `/items/${this.next}` : "/");
      this.leaving = false;
    }

    leave(address) {
      location.assign(address);
    }
  }
  const answerOf = (question) => find("input:checked", question);

  // ---- documents -------------------------------------------------------------------------------

  function listenToResults() {
    const viewer = find("#viewer");
    const frame = find("iframe");
    if (!frame) return;
    frame.addEventListener("pointerenter", () => { over = true; });
    frame.addEventListener("pointerleave", () => { over = false; });
    // a click into a document takes the keys along: they come back, but not from who went there by Tab
    let tabbed = false;
    addEventListener("keydown", (event) => { tabbed = event.key === "Tab"; }, true);
    addEventListener("pointermove", () => { tabbed = false; }, { capture: true, passive: true });
    addEventListener("blur", () => setTimeout(() => {
      if (document.activeElement !== frame || tabbed) return;
      frame.blur();
      window.focus();
    }, 0));
    if (!viewer) return;
    for (const link of all(".result")) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        find("#viewer-title").textContent = link.dataset.title;
        find("#viewer-url").textContent = find(".url", link)?.textContent ?? "";
        const original = find("#viewer-original");
        original.hidden = !link.dataset.url;
        if (link.dataset.url) original.href = link.dataset.url;
        else original.removeAttribute("href");
        frame.src = link.getAttribute("href");
        link.dataset.read = "";
        viewer.showModal();
        find("[data-closes]", viewer).focus();
      });
    }
    viewer.addEventListener("close", () => frame.removeAttribute("src"));
  }

  // ---- keys ------------------------------------------------------------------------------------

  const keysOn = () => kept.get("polyseme:keys") !== "off";

  function listenToKeys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (find("dialog[open]")) return;
      const at = event.target;
      if (at.closest?.("textarea, select, input:not([type=radio])")) return;
      const onButton = at.closest?.("a, button");
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const act = keyed(key, at, onButton);
      if (act && !event.repeat) {
        event.preventDefault();
        act();
      }
    });
  }

  function keyed(key, at, onButton) {
    if (key === "Enter") {
      if (onButton) return null;
      const onward = find("[data-key=Enter]");
      return page ? () => page.goOn() : onward ? () => onward.click() : null;
    }
    if (!page || !keysOn()) return null;
    const inRadio = at.matches?.("input[type=radio]");
    if (key === "ArrowUp" || key === "ArrowDown") {
      if (inRadio || onButton || at !== body && at.id !== "main") return null;
      if (page.task === "preferences") return null; // these keys scroll the lists
      return () => page.move(key === "ArrowUp" ? -1 : 1);
    }
    if (find(`input[data-key="${key}"]`, page.form)) return () => page.choose(key);
    const acts = {
      u: () => page.undo(),
      s: page.practice ? null : () => page.skip(),
      c: page.practice ? null : () => open("cannot"),
      p: () => find("#previous[href]")?.click(),
      l: () => page.leave("/"),
      q: () => page.move(page.active === page.questions.at(-1) ? 1 - page.questions.length : 1),
      "?": () => open("help"),
    };
    return acts[key] ?? null;
  }

  function open(id) {
    const dialog = find(`#${id}`);
    dialog.showModal();
    find("input:checked, button", dialog)?.focus();
  }

  function listenToDialogs() {
    for (const button of all("[data-opens]")) button.addEventListener("click", () => open(button.dataset.opens));
    for (const button of all("[data-closes]")) button.addEventListener("click", () => button.closest("dialog").close());
    const box = find("#keys-on");
    if (box) {
      box.checked = keysOn();
      box.addEventListener("change", () => kept.set("polyseme:keys", box.checked ? "on" : "off"));
    }
  }

  // ---- the list, and the organiser ---------------------------------------------------------------

  function listenToList() {
    const chosen = find("#show-state");
    chosen?.addEventListener("change", () => {
      for (const entry of all(".entries li")) entry.hidden = chosen.value !== "" && entry.dataset.state !== chosen.value;
    });
  }

  async function ask(address, fields) {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
    const told = await response.json();
    if (!response.ok) throw new Error(told.message);
    return told;
  }

  function listenToOrganiser() {
    const act = async (element, fields) => {
      forget("script.failed");
      try {
        const told = await ask(element.dataset.api, fields);
        if (told.invitations) showLinks(told.invitations);
        if ("revoked" in told) { element.disabled = true; tell("script.show_revoked", "calm"); }
        if ("released" in told) tell("script.released", "calm", { n: told.released });
      } catch (error) {
        tell("script.failed", "bad", { error: error.message });
      }
    };
    for (const form of all("form[data-api]")) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        act(form, Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, Number(value)])));
      });
    }
    for (const button of all("button[data-api]")) {
      button.addEventListener("click", () => {
        if (!button.dataset.sure || confirm(button.dataset.sure)) act(button, JSON.parse(button.dataset.body ?? "{}"));
      });
    }
    const live = find("#live");
    if (live) setInterval(() => document.hidden || renew(live), Number(live.dataset.every) * 1000);
  }

  function showLinks(made) {
    const place = find("#made");
    const words = document.createElement("p");
    words.className = "quiet";
    words.textContent = say("script.links");
    const list = document.createElement("ul");
    list.className = "links-made";
    for (const each of made) {
      const line = document.createElement("li");
      const name = document.createElement("strong");
      name.textContent = each.judge;
      const link = document.createElement("input");
      link.readOnly = true;
      link.value = new URL(each.path, location.origin).href;
      link.setAttribute("aria-label", each.judge);
      link.addEventListener("focus", () => link.select());
      const copy = document.createElement("button");
      copy.type = "button";
      copy.className = "button small";
      copy.textContent = say("script.copy");
      copy.addEventListener("click", async () => {
        link.select();
        try {
          await navigator.clipboard.writeText(link.value);
          copy.textContent = say("script.copied");
        } catch {
          document.execCommand("copy");
        }
      });
      line.append(name, link, copy);
      list.append(line);
    }
    place.replaceChildren(words, list);
  }

  /** The figures of the page as they are now; what is being typed or was just made stays. */
  async function renew(live) {
    try {
      const response = await fetch("/organiser");
      if (!response.ok) return;
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("#live");
      if (fresh && !live.contains(document.activeElement)) live.replaceChildren(...fresh.childNodes);
    } catch { /* the next time, then */ }
  }

  // ---- begin -------------------------------------------------------------------------------------

  const element = find("#item");
  let page = null;
  page = element ? new Page(element) : null;
  listenToKeys();
  listenToDialogs();
  listenToResults();
  listenToList();
  listenToOrganiser();
  if (body.dataset.judge) {
    const waited = Outbox.names().length;
    Outbox.flush().then(() => {
      if (waited && !Outbox.names().length) tell("script.caught_up", "calm");
    });
    show();
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    addEventListener("online", () => Outbox.flush());
    addEventListener("focus", () => Outbox.stuck && Outbox.flush());
    addEventListener("storage", (event) => event.key?.startsWith(outbox) && Outbox.changed());
    document.addEventListener("visibilitychange", () => document.hidden || (Outbox.stuck && Outbox.flush()));
  }
})();

"use strict";
// The page says everything without this; with it, tables can be sorted and rows chosen, and what
// is shown stands in the address: #place;run=...;topic=...;measure=...;sort=table.column.down
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const fields = all("#choose input");
  const state = {place: "", run: "", topic: "", measure: "", show: "", sort: ""};
  const text = (cell) => cell.textContent.trim();

  // ---- the address ----------------------------------------------------------------------------
  const read = () => {
    const [place, ...said] = location.hash.slice(1).split(";");
    const held = {run: "", topic: "", measure: "", show: "", sort: ""};
    for (const each of said) {
      const [name, value = ""] = each.split("=");
      if (name in held) {
        try { held[name] = decodeURIComponent(value); } catch { held[name] = ""; }
      }
    }
    return {place, ...held};
  };
  const write = () => {
    const said = Object.entries(state).filter(([name, value]) => name !== "place" && value)
      .map(([name, value]) => `;${name}=${encodeURIComponent(value)}`).join("");
    history.replaceState(null, "", `#${state.place}${said}`);
  };

  // ---- which rows and columns are shown -------------------------------------------------------
  const wanted = (words, name) =>
    !words.length || words.some((word) => name.toLowerCase().includes(word));
  const choose = () => {
    const words = {};
    for (const subject of ["run", "topic", "measure"]) {
      words[subject] = state[subject].toLowerCase().split(/\s+/).filter(Boolean);
    }
    const counts = {};
    for (const table of all("table[data-rows]")) {
      const about = table.dataset.rows;
      const head = table.tHead.rows[0].cells;
      const hide = [];
      for (let n = 0; n < head.length; n++) {
        const {run, measure} = head[n].dataset;
        const gone = !(run === undefined || wanted(words.run, run)) ||
          !(measure === undefined || wanted(words.measure, measure));
        if (gone !== head[n].hidden) hide.push([n, gone]);
      }
      const pairs = table.id === "pairs" || table.id === "correlation-pairs";
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        if (about in words) {
          const name = text(row.cells[0]);
          row.hidden = !(wanted(words[about], name) ||
            (pairs && wanted(words[about], text(row.cells[1]))));
        }
        if (!row.hidden) shown++;
        for (const [n, gone] of hide) row.cells[n].hidden = gone;
      }
      for (const [n, gone] of hide) head[n].hidden = gone;
      if (about in words && !(about in counts) && ["leaderboard", "topics", "all-measures"].includes(table.id)) {
        counts[about] = `${shown} of ${table.tBodies[0].rows.length} ${about}s`;
      }
    }
    const some = Object.values(words).some((each) => each.length);
    $("chosen").value = some ? `shown: ${Object.values(counts).join(", ")}` : "";
  };

  // ---- sorting --------------------------------------------------------------------------------
  const key = (cell) => {
    if (cell.dataset.by !== undefined) return Number(cell.dataset.by);
    const said = text(cell);
    if (said === "" || said === "–") return null;
    const number = Number(said.replace("−", "-").replace(/^[<+]|[,%]/g, ""));
    return Number.isNaN(number) ? said : number;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", {numeric: true});
  };
  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, n) => [key(row.cells[column]), n, row]);
    rows.sort(([a, m], [b, n]) => {
      // what has no value comes last, whichever way
      if (a === null || b === null) return (a === null) - (b === null) || m - n;
      return (down ? compare(b, a) : compare(a, b)) || m - n;
    });
    body.append(...rows.map(([, , row]) => row));
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.tHead.rows[0].cells[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  const sortable = (table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...(head.querySelector("span") ? [head.querySelector("span")] : head.childNodes));
      // a link inside a button would be neither
      for (const link of all("a", button)) link.replaceWith(...link.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const numbers = head.matches(".n, .turned");
        const down = before ? before === "ascending" : numbers;
        sort(table, column, down);
        state.sort = `${table.id}.${column}.${down ? "down" : "up"}`;
        write();
      });
    });
  };

  // ---- other measures in a matrix -------------------------------------------------------------
  const show = (name) => {
    const choice = all("select[data-matrix]").find((each) => each.dataset.matrix === "values");
    const table = $("values");
    if (!choice || !table) return;
    const held = all("script[data-of=values]").find((each) => each.dataset.name === name);
    if (!held) return;
    choice.value = name;
    const values = JSON.parse(held.textContent);
    const top = Math.max(1, ...[values].flat().map((value) => value ?? 0));
    const width = values.length / table.tBodies[0].rows.length;
    for (const row of table.tBodies[0].rows) {
      const first = row.dataset.row * width;
      for (let n = 0; n < width; n++) {
        const value = values[first + n];
        const cell = row.cells[n + 1];
        cell.textContent = value === null ? "" : (value / 10000).toFixed(4);
        cell.className = value === null ? "snone" : value <= 0 ? "s0" :
          `s${1 + Math.min(7, Math.floor(value / top * 8))}`;
      }
    }
    const told = `${name} of each run on each topic`;
    $("values-name").textContent = told;
    const heading = table.closest(".block")?.querySelector("h3");
    if (heading) heading.firstChild.textContent = `${told} `;
  };

  // ---- what the address says ------------------------------------------------------------------
  const reach = () => {
    for (const each of all(".reached")) each.classList.remove("reached");
    const target = state.place && $(state.place);
    if (!target) return;
    if (target.hidden) {
      for (const subject of ["run", "topic", "measure"]) state[subject] = "";
      for (const field of fields) field.value = "";
      choose();
      write();
    }
    for (let each = target; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
    }
    if (target.tagName === "TR") target.classList.add("reached");
    target.scrollIntoView({block: target.tagName === "TR" ? "center" : "start"});
  };
  const follow = () => {
    const said = read();
    // a plain link keeps what is chosen
    const plain = !location.hash.includes(";");
    Object.assign(state, plain ? {place: said.place} : said);
    for (const field of fields) field.value = state[field.dataset.subject];
    if (!plain) {
      const [table, column, way] = state.sort.split(".");
      const sorted = table && $(table);
      if (sorted?.tHead?.rows[0].cells[column]) sort(sorted, Number(column), way === "down");
      if (state.show) show(state.show);
    }
    choose();
    reach();
    if (plain && Object.values({...state, place: ""}).some(Boolean)) write();
  };

  // ---- begin ----------------------------------------------------------------------------------
  for (const each of all(".needs-script")) each.hidden = false;
  all("table").forEach(sortable);
  for (const table of all("table.matrix")) [...table.tBodies[0].rows].forEach((row, n) => { row.dataset.row = n; });
  for (const field of fields) {
    field.addEventListener("input", () => {
      state[field.dataset.subject] = field.value.trim();
      choose();
      write();
    });
  }
  $("choose").addEventListener("submit", (event) => event.preventDefault());
  $("choose-all").addEventListener("click", () => {
    for (const field of fields) { field.value = ""; state[field.dataset.subject] = ""; }
    choose();
    write();
  });
  for (const each of all("select[data-matrix]")) {
    each.addEventListener("change", () => {
      state.show = each.value;
      show(each.value);
      write();
    });
  }
  addEventListener("hashchange", follow);
  if (location.hash) follow();
})();

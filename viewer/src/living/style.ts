// How the controls look; colours follow the page around them where it says so.
export const STYLE = `
.nhl{--nhl-ink:var(--ink,#1d2328);--nhl-soft:var(--soft,#5d6770);--nhl-line:var(--line,#e2e5e8);--nhl-ground:var(--ground,#fff);
--nhl-shade:var(--shade,#f6f7f8);--nhl-accent:var(--accent,#0b5c8a);font:14px/1.35 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
color:var(--nhl-ink);margin:.8rem 0 0}
.nhl *{box-sizing:border-box}
.nhl-top{display:flex;gap:.35rem;align-items:center;margin-bottom:.35rem}.nhl-top button{flex:none}.nhl .nhl-top button.nhl-icon{padding:0 .5rem;font-size:1.05rem;line-height:1}
.nhl details.nhl-more{border:0;padding:0}.nhl-more>summary{font:400 .78rem/1.3 system-ui,sans-serif;color:var(--nhl-soft);padding:.2rem 0;flex-wrap:nowrap;gap:.4rem;cursor:pointer}
.nhl-strip{border-top:1px solid var(--nhf-line);padding:4px 10px 2px;flex:none}.nhl-strip canvas{display:block;width:100%;height:96px;cursor:ew-resize;touch-action:none}
.nhl-strip-head{display:flex;justify-content:space-between;gap:8px;align-items:center}.nhl-strip-head select{max-width:78%;height:24px!important;font-size:12px!important;padding:0 1.5em 0 4px!important;text-overflow:ellipsis}
.nhl-strip-value{font-variant-numeric:tabular-nums;color:var(--nhf-soft);font-size:12px}
.nhl-status{margin:0 0 .4rem;min-height:1.2em;color:var(--nhl-soft);font-size:.84rem;font-variant-numeric:tabular-nums}
.nhl-status.nhl-wrong{color:#b3261e}
.nhl-hint{margin:.2rem 0 0;color:var(--nhl-ink);font-weight:600}
.nhl button,.nhl select,.nhl input[type=number]{font:inherit;font-size:.82rem;color:inherit;background:var(--nhl-ground);border:1px solid var(--nhl-line);
border-radius:6px;height:1.95rem;padding:0 .6rem}
.nhl-offer{display:block;width:100%;margin:.25rem 0;font:inherit;color:var(--nhl-ink);background:var(--nhl-ground);border:1px solid var(--nhl-line);border-radius:6px;padding:.3rem .5rem}
.nhl button,.nhl select{cursor:pointer}
.nhl-top select{flex:1 1 4.6rem;min-width:0;max-width:7.2rem;text-overflow:ellipsis}
.nhl button:hover:not(:disabled),.nhl select:hover{border-color:var(--nhl-accent);color:var(--nhl-accent)}
.nhl button:disabled{opacity:.4;cursor:default}
.nhl :focus-visible{outline:2px solid var(--nhl-accent);outline-offset:1px}
.nhl-groups{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:.4rem 2.2rem;align-items:start}
.nhl fieldset{border:0;border-top:1px solid var(--nhl-line);margin:0;padding:.45rem 0 .3rem;min-width:0}
.nhl legend{padding:0 .6rem 0 0;font-size:.78rem;color:var(--nhl-soft);letter-spacing:.02em}
.nhl-row{display:grid;grid-template-columns:4.4rem minmax(4rem,1fr) 5.4rem 3.3rem;gap:0 .5rem;align-items:center;padding:.12rem 0}
.nhl-row label{display:contents}
.nhl-row label b{grid-column:1;overflow-wrap:anywhere;min-width:0;font:400 1.02rem/1.1 Georgia,"DejaVu Serif","Times New Roman",serif}
.nhl-row label small{grid-column:2/-1;grid-row:2;color:var(--nhl-soft);font-size:.72rem;line-height:1.2;margin:.05rem 0 .2rem}
.nhl-row input[type=range]{width:100%;min-width:0;accent-color:var(--nhl-accent);margin:0;height:1.4rem}
.nhl-row input[type=number]{width:100%;text-align:right;font-variant-numeric:tabular-nums;padding:0 .3rem;font-size:.8rem;-moz-appearance:textfield;appearance:textfield}
.nhl-row input[type=number]::-webkit-inner-spin-button{display:none}
.nhl-unit{color:var(--nhl-soft);font-size:.78rem;white-space:nowrap}
.nhl-row.nhl-changed label b{color:var(--nhl-accent)}
.nhl-row.nhl-follows input{border-style:dashed}
.nhl-row.nhl-asked{background:color-mix(in srgb,var(--nhl-accent) 12%,transparent);border-radius:6px;margin:0 -.4rem;padding-left:.4rem;padding-right:.4rem}
.nhl-exercises{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:.8rem;margin:1rem 0;font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;grid-column:1/-1}
.nhl-exercise{border:1px solid var(--line,#e2e5e8);border-radius:8px;padding:.7rem .9rem;background:var(--shade,#f6f7f8)}
.nhl-exercise p{margin:.2rem 0 .5rem}.nhl-exercise button{font:inherit;font-size:.86rem;color:inherit;background:var(--ground,#fff);border:1px solid var(--line,#e2e5e8);border-radius:6px;padding:.25rem .7rem;margin:.15rem .35rem .15rem 0;cursor:pointer}
.nhl-exercise button:hover{border-color:var(--accent,#0b5c8a)}.nhl-exercise .nhl-right{border-color:var(--good,#1a7f4b);color:var(--good,#1a7f4b);font-weight:600}.nhl-exercise .nhl-not{border-color:var(--bad,#b3261e);color:var(--bad,#b3261e)}
.nhl-exercise small{color:var(--soft,#5d6770)}.nhl-exercise.nhl-done{border-color:var(--good,#1a7f4b)}
.nhl-note math,.nhl-row label b math{font-family:"Report Math","STIX Two Math","Cambria Math",math;font-size:1.06em}.nhl-nowrap{white-space:nowrap}
.nhl-note{color:var(--nhl-soft);font-size:.8rem;margin:.15rem 0 .3rem;line-height:1.4;max-width:none}
.nhl-note b{font-weight:600;color:var(--nhl-ink)}
.nhl-kick:empty{display:none}.nhl-kick{margin-bottom:.3rem;display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
.nhl-kick input[type=number]{width:5.4rem}
.nhl-chip{display:inline-flex;gap:.35rem;align-items:center;background:var(--nhl-shade);border:1px solid var(--nhl-line);border-radius:99px;padding:0 .2rem 0 .6rem;
font-size:.78rem;height:1.7rem}
.nhl-chip button{border:0;background:none;height:1.5rem;padding:0 .4rem}
.nhl-meaning{position:absolute;z-index:30;pointer-events:none;background:#1d2328;color:#fff;border-radius:6px;padding:.35rem .6rem;font:13px/1.35 system-ui,sans-serif;
max-width:20rem;box-shadow:0 2px 10px rgba(0,0,0,.25)}
.nhl-sign{cursor:help}
.nhl-sign:hover,.nhl-sign:focus{background:color-mix(in srgb,var(--accent,#0b5c8a) 14%,transparent);border-radius:3px}
@media (max-width:40rem){.nhl-row{grid-template-columns:4.2rem minmax(3rem,1fr) 5.2rem 2.9rem;gap:0 .4rem;padding:.2rem 0}
.nhl-row input[type=range]{height:2.2rem}.nhl .nhl-top select,.nhl .nhl-top button{padding:0 .3rem 0 .4rem;font-size:.78rem}.nhl button,.nhl select,.nhl input[type=number]{height:2.3rem}}
@media print{.nhl{display:none}}
`;

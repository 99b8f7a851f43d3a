/// How the page looks: on screens wide and narrow, light and dark, and on paper.
enum StyleSheet {
    static let all: Markup = colours + page + parts + tables + waterfall + narrow + print

    /// What content is, and how something came out, has one colour each; both schemes keep the
    /// contrast of text above 4.5.
    private static let colours = Markup(
        html: """
            :root {
              color-scheme: light dark;
              --paper: #f7f6f3; --card: #fffefc; --ink: #1f1e1b; --soft: #605d56; --line: #dfdbd2;
              --lane: #efece5; --grid: #dfdad0; --link: #1c56b8;
              --good: #1a7040; --good-tint: #e2f1e6; --bad: #b3261e; --bad-tint: #fbe6e3;
              --warn: #8a5300; --warn-tint: #fbeed3; --info: #2d5f94; --info-tint: #e3edf7;
              --connect: #8d97a5; --wait: #b9c1cb; --open: #dde7f7; --reasoning: #8b6bd6;
              --text: #2f6fdb; --arguments: #d08a1a; --card-kind: #0e8f8c; --execution: #8cc7a7;
              --handler: #2c8a58; --stall: #cf3f35;
            }
            @media screen and (prefers-color-scheme: dark) {
              :root {
                --paper: #151618; --card: #1c1e21; --ink: #e9e7e2; --soft: #a7a49c; --line: #34373b;
                --lane: #26292d; --grid: #383c42; --link: #8db6f7;
                --good: #6fcf97; --good-tint: #1b3325; --bad: #ff8a80; --bad-tint: #3d1f1d;
                --warn: #f2b84b; --warn-tint: #3a2d12; --info: #8fbdec; --info-tint: #1c2d40;
                --connect: #768090; --wait: #5d6570; --open: #24324a; --reasoning: #a78bea;
                --text: #5b94f5; --arguments: #e0a84a; --card-kind: #3cb8b2; --execution: #2f6b4c;
                --handler: #5cc48d; --stall: #ff6b60;
              }
            }

            """)

    private static let page = Markup(
        html: """
            *, ::before, ::after { box-sizing: border-box; }
            html {
              scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
            }
            body {
              margin: 0 auto; padding: 0 1.5rem 4rem; max-width: 75rem; color: var(--ink);
              background: var(--paper); overflow-wrap: break-word;
              font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
            }
            code, pre {
              font: 0.88em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
                monospace;
            }
            code, bdi { overflow-wrap: anywhere; unicode-bidi: isolate; }
            h1, h2, h3, h4 { line-height: 1.25; }
            h2 {
              font-size: 1.45rem; font-weight: 650; letter-spacing: -0.01em;
              margin: 3.25rem 0 1rem;
            }
            h3 { font-size: 1.06rem; font-weight: 620; margin: 0 0 0.35rem; }
            h4 { font-size: 1rem; font-weight: 620; margin: 0 0 0.2rem; }
            h3 .times, .reasons .times {
              color: var(--soft); font-weight: 400; font-size: 0.9em; white-space: nowrap;
            }
            p { margin: 0 0 0.7rem; }
            a {
              color: var(--link); text-underline-offset: 0.18em;
              text-decoration: underline 1px color-mix(in srgb, currentColor 35%, transparent);
            }
            a:hover { text-decoration-color: currentColor; }
            a:focus-visible, summary:focus-visible, .scroll:focus-visible {
              outline: 2px solid var(--link); outline-offset: 2px;
            }
            :target { scroll-margin-top: 3.5rem; }
            article:target, .turn:target { outline: 2px solid var(--link); outline-offset: 3px; }
            .note, .notes, .meta, footer { color: var(--soft); font-size: 0.9rem; }
            .notes { margin: 0.9rem 0 0; padding-left: 1.1rem; max-width: 62rem; }
            .unseen {
              position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
              white-space: nowrap;
            }
            header { padding: 2.75rem 0 1.5rem; }
            header .kicker { color: var(--soft); margin: 0 0 0.4rem; }
            h1 {
              display: flex; align-items: center; gap: 0.8rem; font-size: 2.9rem; font-weight: 720;
              letter-spacing: -0.03em; line-height: 1.1; margin: 0 0 0.6rem;
            }
            h1 .sign {
              display: grid; place-items: center; width: 1.12em; height: 1.12em; border-radius: 50%;
              font-size: 0.62em; letter-spacing: 0; color: var(--card);
            }
            .good h1 { color: var(--good); } .good .sign { background: var(--good); }
            .bad h1 { color: var(--bad); } .bad .sign { background: var(--bad); }
            header .lead { font-size: 1.2rem; margin-bottom: 0.9rem; }
            .reasons { margin: 0 0 1.1rem; padding: 0; list-style: none; max-width: 62rem; }
            .reasons li { padding: 0.16rem 0 0.16rem 0.9rem; border-left: 3px solid var(--bad); }
            nav {
              position: sticky; top: 0; z-index: 2; margin: 0 -1.5rem; padding: 0 1.5rem;
              background: var(--paper); border-bottom: 1px solid var(--line); overflow-x: auto;
              scrollbar-width: none;
            }
            nav ul { display: flex; gap: 1.5rem; margin: 0; padding: 0; list-style: none; }
            nav a {
              display: block; padding: 0.65rem 0; color: var(--soft); font-size: 0.92rem;
              font-weight: 550; text-decoration: none;
            }
            nav a:hover { color: var(--ink); }
            footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }

            """)

    private static let parts = Markup(
        html: """
            .tiles {
              display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; margin: 0 0 1rem;
              background: var(--card); border: 1px solid var(--line); border-radius: 10px;
              overflow: hidden;
            }
            .tiles div {
              display: flex; flex-direction: column; padding: 0.85rem 1rem;
              box-shadow: 0 0 0 1px var(--line);
            }
            .tiles dt { order: 1; color: var(--soft); font-size: 0.9rem; }
            .tiles dd { display: contents; }
            .tiles b {
              font-size: 1.65rem; font-weight: 650; line-height: 1.2; letter-spacing: -0.02em;
              font-variant-numeric: tabular-nums;
            }
            .tiles small { order: 2; color: var(--soft); font-size: 0.82rem; line-height: 1.4; }
            .share { display: flex; gap: 2px; height: 8px; border-radius: 4px; overflow: hidden; }
            .share i { flex: 1 1 0; min-width: 6px; }
            .share .finished { background: var(--good); }
            .share .paused { background: var(--info); }
            .share .cancelled { background: var(--connect); }
            .share .failed { background: var(--bad); }
            .chip {
              display: inline-block; padding: 0.02rem 0.5rem; border-radius: 1rem; font-size: 0.8rem;
              font-weight: 550; line-height: 1.55; color: var(--soft); background: var(--lane);
              vertical-align: 0.08em;
            }
            .chip.good { color: var(--good); background: var(--good-tint); }
            .chip.bad { color: var(--bad); background: var(--bad-tint); }
            .finding, .session {
              margin: 0 0 1.1rem; padding: 1.1rem 1.25rem; background: var(--card);
              border: 1px solid var(--line); border-radius: 10px;
            }
            .finding { border-left-width: 4px; }
            .finding.error { border-left-color: var(--bad); }
            .finding.warning { border-left-color: var(--warn); }
            .finding.info { border-left-color: var(--info); }
            .severity {
              display: inline-block; margin-right: 0.2rem; padding: 0.05rem 0.45rem; font-size: 0.78rem;
              font-weight: 650; border-radius: 4px; vertical-align: 0.1em;
            }
            .error .severity { color: var(--bad); background: var(--bad-tint); }
            .warning .severity { color: var(--warn); background: var(--warn-tint); }
            .info .severity { color: var(--info); background: var(--info-tint); }
            .why { color: var(--soft); max-width: 62rem; }
            .why cite { white-space: normal; }
            .finding ol { margin: 0; padding: 0; list-style: none; }
            .finding li {
              padding: 0.75rem 0 0; margin-top: 0.75rem; border-top: 1px solid var(--line);
            }
            .where { margin: 0 0 0.35rem; font-size: 0.9rem; color: var(--soft); }
            .pair {
              display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 0.9rem; margin: 0;
            }
            .pair dt { color: var(--soft); font-size: 0.9rem; }
            .pair dd {
              margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
            }
            .event { margin: 0.6rem 0 0; }
            .event figcaption { color: var(--soft); font-size: 0.84rem; margin-bottom: 0.2rem; }
            .event pre {
              margin: 0; padding: 0.55rem 0.75rem; background: var(--lane); border-radius: 6px;
              white-space: pre-wrap; overflow-wrap: anywhere;
            }
            mark { color: var(--card); background: var(--bad); border-radius: 2px; padding: 0 1px; }
            details { margin-top: 0.9rem; }
            summary { cursor: pointer; color: var(--soft); font-size: 0.92rem; font-weight: 550; }
            details .scroll { margin-top: 0.5rem; }

            """)
}

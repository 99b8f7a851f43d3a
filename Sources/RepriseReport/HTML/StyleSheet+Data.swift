extension StyleSheet {
    static let tables = Markup(
        html: """
            .scroll { overflow-x: auto; }
            .scroll + .note { margin-top: 0.9rem; } .scroll + .session { margin-top: 1.75rem; }
            table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
            th, td { padding: 0.42rem 0.6rem; text-align: left; vertical-align: top; }
            th:first-child, td:first-child { padding-left: 0; }
            th:last-child, td:last-child { padding-right: 0; }
            thead th {
              color: var(--soft); font-weight: 500; white-space: nowrap;
              border-bottom: 1px solid var(--line);
            }
            tbody th { font-weight: 500; } tbody th code { font-weight: 600; }
            tbody tr + tr > * { border-top: 1px solid var(--line); }
            .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
            .none { color: var(--soft); }
            .group th {
              padding-top: 1.3rem; color: var(--soft); font-weight: 620;
              border-bottom: 1px solid var(--line);
            }
            tbody tr.group + tr > * { border-top: 0; }
            th small {
              display: block; min-width: 13rem; max-width: 24rem; color: var(--soft);
              font-weight: 400; line-height: 1.4;
            }
            .shape { min-width: 7rem; vertical-align: middle; }
            .box {
              position: relative; display: block; height: 0.9rem; background: var(--lane);
              border-radius: 3px;
            }
            .box i { position: absolute; }
            .range { top: calc(50% - 1px); height: 2px; background: var(--text); }
            .middle {
              top: 20%; height: 60%; min-width: 2px; background: var(--text); opacity: 0.45;
              border-radius: 2px;
            }
            .median {
              top: 0; height: 100%; width: 2px !important; margin-left: -1px;
              background: var(--ink);
            }

            """)

    static let waterfall = Markup(
        html: """
            .turn { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
            .turn .meta, .session > .meta { margin-bottom: 0.6rem; }
            .axis {
              position: relative; height: 1.3rem; font-size: 0.76rem; color: var(--soft);
              font-variant-numeric: tabular-nums;
            }
            .axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
            .axis span:first-child { transform: none; }
            .axis .last { transform: translateX(-100%); }
            .waterfall ol { margin: 0; padding: 0; list-style: none; }
            .waterfall li { padding: 0.5rem 0; }
            .who {
              display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.55rem;
              margin: 0 0 0.25rem; font-size: 0.9rem;
            }
            .who b { font-weight: 600; } .who small { color: var(--soft); font-size: 0.82rem; }
            .lane {
              position: relative; height: 1.5rem; border-radius: 4px;
              background:
                repeating-linear-gradient(90deg, var(--grid) 0 1px, transparent 1px var(--step))
                var(--lane);
            }
            .lane i { position: absolute; top: 0; bottom: 0; min-width: 2px; }
            .lane .connect { background: var(--connect); }
            .lane .wait { top: 32%; bottom: 32%; background: var(--wait); }
            .lane .open { background: var(--open); }
            .lane .reasoning, .lane .text, .lane .arguments, .lane .card, .lane .execution {
              top: 14%; bottom: 14%; border-radius: 2px;
            }
            .reasoning { background: var(--reasoning); } .text { background: var(--text); }
            .arguments { background: var(--arguments); } i.card { background: var(--card-kind); }
            .execution { background: var(--execution); } .handler { background: var(--handler); }
            .lane .handler { top: 38%; bottom: 38%; }
            .lane .stall, .facts .stall {
              background: repeating-linear-gradient(135deg, var(--stall) 0 2px, transparent 2px 6px);
              border: 1px solid var(--stall); border-radius: 2px;
            }
            .lane .stall { top: 14%; bottom: 14%; }
            .terminal { background: var(--ink); }
            .lane .terminal { width: 2px; margin-left: -1px; }
            .facts .terminal {
              width: 2px; height: 0.85rem; vertical-align: -0.1rem; border-radius: 0;
            }
            .lane .edge {
              width: 3px; margin-left: -3px; background: var(--soft); border-radius: 1px;
            }
            .lane .edge.good { background: var(--good); }
            .lane .edge.bad { background: var(--bad); }
            .facts {
              display: flex; flex-wrap: wrap; gap: 0.05rem 1.05rem; margin: 0.3rem 0 0;
              font-size: 0.84rem; color: var(--soft); font-variant-numeric: tabular-nums;
            }
            .facts span { overflow-wrap: anywhere; }
            .facts i:not(.terminal) { width: 0.65rem; height: 0.65rem; border-radius: 2px; }
            .facts i { display: inline-block; margin-right: 0.38rem; }
            .facts .connect { background: var(--connect); }
            .facts .wait { background: var(--wait); }

            """)

    /// At the width of a phone a table's rows are cards, with the columns' titles in them.
    static let narrow = Markup(
        html: """
            @media screen and (max-width: 46rem) {
              body { padding: 0 1rem 3rem; }
              nav { margin: 0 -1rem; padding: 0 1rem; }
              header { padding: 1.75rem 0 1.25rem; }
              h1 { font-size: 2.3rem; } header .lead { font-size: 1.08rem; }
              h2 { font-size: 1.3rem; margin: 2.5rem 0 0.8rem; }
              .tiles { grid-template-columns: 1fr 1fr; }
              .tiles div { padding: 0.7rem 0.8rem; } .tiles b { font-size: 1.4rem; }
              .finding, .session { padding: 0.9rem; border-radius: 8px; }
              table, tbody { display: block; } thead { display: none; }
              tbody tr {
                display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr));
                gap: 0.35rem 0.8rem; padding: 0.7rem 0;
              }
              .dense tbody tr { grid-template-columns: repeat(5, 1fr); gap: 0.35rem 0.4rem; }
              tbody tr + tr { border-top: 1px solid var(--line); }
              tbody tr > *, tbody tr + tr > * { border: 0; padding: 0; }
              tbody th, .group th { grid-column: 1 / -1; }
              tbody tr.group { padding: 1rem 0 0.1rem; } tbody tr.group + tr { border-top: 0; }
              th small { min-width: 0; max-width: none; }
              td.number { text-align: left; } td.wide { grid-column: 1 / -1; }
              th[data-title]::before {
                content: attr(data-title) " "; color: var(--soft); font-weight: 400;
              }
              td[data-title]::before {
                content: attr(data-title); display: block; color: var(--soft); font-size: 0.76rem;
                line-height: 1.35;
              }
              td:has(code), td:has(bdi) { min-width: 0; }
              .axis { font-size: 0.7rem; }
              .shape { grid-column: 1 / -1; } .shape:empty { display: none; }
            }

            """)

    static let print = Markup(
        html: """
            @media print {
              @page { margin: 14mm; }
              body { max-width: none; padding: 0; font-size: 9.5pt; background: none; }
              nav { display: none; }
              header { padding: 0 0 1rem; }
              * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
              a { color: inherit; text-decoration: none; }
              h2, h3, h4, .meta, .why, .axis, thead, summary { break-after: avoid; }
              .session:not(:has(.turn)) { break-inside: avoid; }
              .finding li, .waterfall li, .turn > h4, tr, .tiles { break-inside: avoid; }
              .scroll { overflow: visible; }
              details::details-content { content-visibility: visible; block-size: auto; }
            }

            """)
}

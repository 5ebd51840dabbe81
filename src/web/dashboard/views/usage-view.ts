import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState, useEffect, useRef } from 'preact/hooks'
import { call, usePolled } from '../server-calls.ts'
import { Fault, Loading, Table, Tabs, Tile, count, day, plural } from '../parts.ts'

type Day = { date: string; creditsUsed: number }
type Balance = { remainingCredits: number; planCredits: number; usedCredits: number; billingPeriodEnd: string }
type Month = { startDate: string; creditsUsed: number }
type Usage = { days: readonly Day[]; balance: Balance; months: readonly Month[] }

async function look(days: number, signal: AbortSignal): Promise<Usage> {
  const [daily, { data: balance }, { periods }] = await Promise.all([
    call<{ days: readonly Day[] }>('GET', `/v2/team/credit-usage/daily?days=${days}`, { signal }),
    call<{ data: Balance }>('GET', '/v2/team/credit-usage', { signal }),
    call<{ periods: readonly Month[] }>('GET', '/v2/team/credit-usage/historical', { signal }),
  ])
  return { days: daily.days, balance, months: periods }
}

/** A team without a limit has this many credits. */
const unlimited = 1_000_000_000

/** Credits by day, and what is left of the month. */
export function Usage(): VNode {
  const [days, setDays] = useState('30')
  const { value, fault } = usePolled((signal) => look(Number(days), signal), 10_000, days)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { balance, months } = value
  const isLimited = balance.planCredits < unlimited
  const spans = { 7: '7 days', 30: '30 days', 90: '90 days' }
  return html`
    <${Fault} of=${fault} />
    <div class="tiles">
      <${Tile} name="Used this month" value=${count(balance.usedCredits)} />
      <${Tile} name="Left" value=${isLimited ? count(balance.remainingCredits) : 'No limit'} />
      <${Tile} name="Today" value=${count(value.days.at(-1)?.creditsUsed ?? 0)} />
    </div>
    <section>
      <div class="bar">
        <h2>Credits by day</h2>
        <${Tabs} label="Time shown" tabs=${spans} now=${days} choose=${setDays} />
      </div>
      <${DayChart} days=${value.days} />
      <details>
        <summary>The same as a table</summary>
        <${Table}
          head=${['Day', 'Credits']}
          rows=${value.days.toReversed().map(({ date, creditsUsed }) => [day(date), count(creditsUsed)])}
        />
      </details>
    </section>
    <section>
      <h2>By month</h2>
      ${
        months.length === 0
          ? html`<p class="faint">No credit has been used yet.</p>`
          : html`<${Table}
              head=${['Month', 'Credits']}
              rows=${months.toReversed().map(({ startDate, creditsUsed }) => [startDate.slice(0, 7), count(creditsUsed)])}
            />`
      }
    </section>
    <p class="faint">
      Days and months are those of UTC${isLimited && `; the month ends on ${day(balance.billingPeriodEnd)}`}.
    </p>
  `
}

/** Bars of credits by day. The library that draws them is loaded with the first chart. */
export function DayChart({ days }: { days: readonly Day[] }): VNode {
  const box = useRef<HTMLDivElement>(null)
  const shown = JSON.stringify(days)
  useEffect(() => {
    let end = () => {}
    let isGone = false
    async function draw(): Promise<void> {
      nameLanguage()
      const { drawChart } = await import('./draw-chart.ts')
      if (box.current && !isGone) end = drawChart(box.current, days)
    }
    void draw()
    return () => {
      isGone = true
      end()
    }
  }, [shown])
  return html`<div class="chart" role="img" aria-label=${summary(days)}><div ref=${box}></div></div>`
}

/** Under the locale C browsers report `en-US@posix`, which is no language tag, and uPlot does not load. */
function nameLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US' })
  }
}

function summary(days: readonly Day[]): string {
  const total = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  const most = days.toSorted((one, other) => other.creditsUsed - one.creditsUsed)[0]
  if (!most || total === 0) return 'No credit was used in this time.'
  return `${plural(total, 'credit')} in ${plural(days.length, 'day')}, most on ${day(most.date)}: ${count(most.creditsUsed)}.`
}

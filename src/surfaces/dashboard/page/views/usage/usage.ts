import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Fault, Loading, Tabs, Tile } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { count, day } from '../../parts/words.ts'
import { DayChart } from './day-chart.ts'

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
  const spans = [
    ['7', '7 days'],
    ['30', '30 days'],
    ['90', '90 days'],
  ]
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
        ${table(
          'Day',
          value.days.toReversed().map(({ date, creditsUsed }) => [day(date), creditsUsed]),
        )}
      </details>
    </section>
    <section>
      <h2>By month</h2>
      ${
        months.length === 0
          ? html`<p class="faint">No credit has been used yet.</p>`
          : table(
              'Month',
              months.toReversed().map(({ startDate, creditsUsed }) => [startDate.slice(0, 7), creditsUsed]),
            )
      }
    </section>
    <p class="faint">
      Days and months are those of UTC${isLimited && `; the month ends on ${day(balance.billingPeriodEnd)}`}.
    </p>
  `
}

const table = (name: string, rows: readonly (readonly [string, number])[]) =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">${name}</th>
        <th scope="col">Credits</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([label, credits]) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td>${count(credits)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

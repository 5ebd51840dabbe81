import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useChoice } from '../place.ts'
import { call, usePolled } from '../server-calls.ts'
import { Fault, Table, Tabs, Tile, count, day, kindName, month, plural, Awaited } from '../parts.ts'

type Day = { date: string; creditsUsed: number }
type Balance = { remainingCredits: number; planCredits: number; usedCredits: number; billingPeriodEnd: string }
type Month = { startDate: string; creditsUsed: number; endpoint?: string; apiKey?: string }
type Usage = { days: readonly Day[]; balance: Balance; months: readonly Month[] }

const splits = { total: 'In total', byEndpoint: 'By kind', byApiKey: 'By key' }
type Split = keyof typeof splits

async function look(days: number, split: Split, signal: AbortSignal): Promise<Usage> {
  const [daily, { data: balance }, { periods }] = await Promise.all([
    call<{ days: readonly Day[] }>('GET', `/v2/team/credit-usage/daily?days=${days}`, { signal }),
    call<{ data: Balance }>('GET', '/v2/team/credit-usage', { signal }),
    call<{ periods: readonly Month[] }>(
      'GET',
      `/v2/team/credit-usage/historical${split === 'total' ? '' : `?${split}=true`}`,
      { signal },
    ),
  ])
  return { days: daily.days, balance, months: periods }
}

/** Credits reported for a team without a limit. */
const unlimited = 1_000_000_000

const rowOf = ({ startDate, creditsUsed, endpoint, apiKey }: Month) => [
  month(startDate),
  ...(endpoint === undefined ? [] : [kindName(endpoint)]),
  ...(apiKey === undefined ? [] : [apiKey]),
  count(creditsUsed),
]

/** Credits by day, and credits left this month. */
export function Usage(): VNode {
  const [days, setDays] = useChoice<string>('days', '30')
  const [split, setSplit] = useChoice<Split>('split', 'total')
  const { value, fault } = usePolled((signal) => look(Number(days), split, signal), 10_000, `${days} ${split}`)
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { balance, months } = value
  const isLimited = balance.planCredits < unlimited
  const spans = { 7: '7 days', 30: '30 days', 90: '90 days' }
  return html`
    <${Fault} of=${fault} />
    <div class="tiles">
      <${Tile}
        name="Used this month"
        value=${count(balance.usedCredits)}
        note="credits: 1 a page, 2 a minute of a live browser"
      />
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
          label="Credits by day"
          head=${['Day', 'Credits']}
          rows=${value.days.toReversed().map(({ date, creditsUsed }) => [day(date), count(creditsUsed)])}
        />
      </details>
    </section>
    <section>
      <div class="bar">
        <h2>By month</h2>
        <${Tabs} label="Split by" tabs=${splits} now=${split} choose=${setSplit} />
      </div>
      ${
        months.length === 0
          ? html`<p class="faint">No credit has been used yet.</p>`
          : html`<${Table}
              label="Credits by month"
              head=${['Month', ...(split === 'total' ? [] : [split === 'byApiKey' ? 'Key' : 'Kind']), 'Credits']}
              rows=${months.toReversed().map(rowOf)}
            />`
      }
    </section>
    <p class="faint">
      Days and months are those of UTC${isLimited && `; the month ends on ${day(balance.billingPeriodEnd)}`}.
    </p>
  `
}

/** One bar a day; pointing at one shows its credits. The table below says the same. */
const DayChart = ({ days }: { days: readonly Day[] }) => {
  const most = Math.max(1, ...days.map(({ creditsUsed }) => creditsUsed))
  return html`<div class="chart" role="img" aria-label=${summary(days)}>
    <span class="faint" aria-hidden="true">${count(most)}</span>
    <div class="bars">
      ${days.map(
        ({ date, creditsUsed }) =>
          html`<span key=${date} title=${`${day(date)}: ${plural(creditsUsed, 'credit')}`}
            ><i style=${{ height: `${(100 * creditsUsed) / most}%` }}></i
          ></span>`,
      )}
    </div>
    <p class="bar faint"><span>${days[0] && day(days[0].date)}</span><span>today</span></p>
  </div>`
}

function summary(days: readonly Day[]): string {
  const total = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  const most = days.toSorted((one, other) => other.creditsUsed - one.creditsUsed)[0]
  if (!most || total === 0) return 'No credit was used in this time.'
  return `${plural(total, 'credit')} in ${plural(days.length, 'day')}, most on ${day(most.date)}: ${count(most.creditsUsed)}.`
}

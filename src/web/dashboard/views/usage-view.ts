import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { CreditBalance, CreditDay, CreditPeriod } from '../../../schema/team.ts'
import { Awaited, count, day, Fault, kindName, plural, Table, Tabs, Tile } from '../parts.ts'
import { useChoice } from '../place.ts'
import { useAnswer } from '../server-calls.ts'

const path = '/v2/team/credit-usage'
const restMs = 10_000
const spans = { 7: '7 days', 30: '30 days', 90: '90 days' }
const splits = { total: 'In total', byEndpoint: 'By kind', byApiKey: 'By key' }

/** Credits reported for a team without a limit. */
const unlimited = 1_000_000_000

/** Credits by day, and credits left this month. */
export function Usage(): VNode {
  const [span, setSpan] = useChoice<string>('days', '30')
  const [split, setSplit] = useChoice<keyof typeof splits>('split', 'total')
  const { value, fault } = useAnswer<{ data: CreditBalance }>(path, restMs)
  const daily = useAnswer<{ days: readonly CreditDay[] }>(`${path}/daily?days=${span}`, restMs)
  const monthly = useAnswer<{ periods: readonly CreditPeriod[] }>(
    `${path}/historical${split === 'total' ? '' : `?${split}=true`}`,
    restMs,
  )
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { planCredits, usedCredits, remainingCredits, billingPeriodEnd } = value.data
  const isLimited = planCredits < unlimited
  const days = daily.value?.days
  return html`
    <${Fault} of=${fault} />
    <div class="tiles">
      <${Tile} name="Used this month" value=${usedCredits} note="credits: 1 a page, 2 a minute of a live browser" />
      <${Tile} name="Left" value=${isLimited ? remainingCredits : 'No limit'} />
      <${Tile} name="Today" value=${days && (days.at(-1)?.creditsUsed ?? 0)} />
    </div>
    <section>
      <div class="bar">
        <h2>Credits by day</h2>
        <${Tabs} label="Time shown" tabs=${spans} now=${span} choose=${setSpan} />
      </div>
      <${Awaited} value=${days} fault=${daily.fault} /> ${days && html`<${Days} days=${days} />`}
    </section>
    <section>
      <div class="bar">
        <h2>By month</h2>
        <${Tabs} label="Split by" tabs=${splits} now=${split} choose=${setSplit} />
      </div>
      <${Awaited} value=${monthly.value} fault=${monthly.fault} />
      ${monthly.value && html`<${Months} months=${monthly.value.periods} split=${split} />`}
    </section>
    <p class="faint">Days and months are in UTC${isLimited && `; the month ends on ${day(billingPeriodEnd)}`}.</p>
  `
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const month = (iso: string) => monthFormat.format(new Date(iso))

function Months({ months, split }: { months: readonly CreditPeriod[]; split: keyof typeof splits }): VNode {
  if (months.length === 0) return html`<p class="faint">No credit has been used yet.</p>`
  const of = { total: [], byEndpoint: ['Kind'], byApiKey: ['Key'] }[split]
  const rows = months.toReversed().map(({ startDate, creditsUsed, endpoint, apiKey }) => [
    month(startDate),
    // Each field is present only if the split requests it.
    ...(endpoint === undefined ? [] : [kindName(endpoint)]),
    ...(apiKey === undefined ? [] : [apiKey]),
    count(creditsUsed),
  ])
  return html`<${Table} label="Credits by month" head=${['Month', ...of, 'Credits']} rows=${rows} />`
}

/** Bar chart of the days, and a table with the same numbers. */
function Days({ days }: { days: readonly CreditDay[] }): VNode {
  const most = Math.max(1, ...days.map(({ creditsUsed }) => creditsUsed))
  const rows = days.toReversed().map(({ date, creditsUsed }) => [day(date), count(creditsUsed)])
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
    </div>
    <details>
      <summary>The same as a table</summary>
      <${Table} label="Credits by day" head=${['Day', 'Credits']} rows=${rows} />
    </details>`
}

function summary(days: readonly CreditDay[]): string {
  const total = days.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)
  const most = days.toSorted((one, other) => other.creditsUsed - one.creditsUsed)[0]
  if (!most || total === 0) return 'No credit was used in this time.'
  return `${plural(total, 'credit')} in ${plural(days.length, 'day')}, most on ${day(most.date)}: ${count(most.creditsUsed)}.`
}

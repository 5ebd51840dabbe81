/** What the form for a new monitor holds. */
export type MonitorDraft = {
  kind: 'pages' | 'site'
  addresses: string
  schedule: string
  name: string
  fields: string
  webhook: string
}

const cron = /^\S+(?:\s+\S+){4}$/

/** The body of the call that creates it. */
export function monitorOfDraft({ kind, addresses, schedule, name, fields, webhook }: MonitorDraft, timezone: string) {
  const urls = words(addresses, /\s+/)
  const when = schedule.trim()
  const scrapeOptions = optionsFor(words(fields, /[,\n]/))
  const target = kind === 'pages' ? { type: 'scrape', urls } : { type: 'crawl', url: urls[0] ?? '' }
  return {
    schedule: { ...(isCron(when) ? { cron: when } : { text: when }), timezone },
    targets: [{ ...target, ...(scrapeOptions && { scrapeOptions }) }],
    ...(name.trim() && { name: name.trim() }),
    ...(webhook.trim() && { webhook: { url: webhook.trim() } }),
  }
}

/** Words have letters where cron has figures, stars and marks; `0 9 * * MON` starts with neither. */
const isCron = (when: string) => cron.test(when) && /^[\d*]/.test(when)

const words = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((each) => each.trim())
    .filter((each) => each !== '')

function optionsFor(names: readonly string[]): object | undefined {
  if (names.length === 0) return undefined
  const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]))
  const schema = { type: 'object', properties }
  return { formats: ['markdown', { type: 'changeTracking', modes: ['json'], schema }] }
}

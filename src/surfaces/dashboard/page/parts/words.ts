const numbers = new Intl.NumberFormat('en')
/** Hundredths are of no interest beside thousands. */
export const count = (value: number) =>
  numbers.format(value >= 1000 ? Math.round(value) : Math.round(value * 100) / 100)

/** “1 page”, “2 pages”. */
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

const calendar = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const day = (iso: string) => calendar.format(new Date(iso))

/** How long ago, in the largest unit that says enough. */
export function ago(iso: string): string {
  const seconds = Math.max(0, (Date.now() - Date.parse(iso)) / 1000)
  if (seconds < 10) return 'just now'
  if (seconds < 60) return `${Math.round(seconds)} s ago`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`
  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h ago` : day(iso)
}

/** How long from now, as `ago` says how long since. */
export function until(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  if (seconds < 60) return seconds < 10 ? 'now' : `in ${Math.round(seconds)} s`
  if (seconds < 3600) return `in ${Math.round(seconds / 60)} min`
  return seconds < 86_400 ? `in ${Math.round(seconds / 3600)} h` : `on ${day(iso)}`
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${count(Math.round(seconds * 10) / 10)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

const kinds: Readonly<Record<string, string>> = {
  batch_scrape: 'batch',
  browser: 'session',
  llmstxt: 'llms.txt',
}
export const kindName = (endpoint: string) => kinds[endpoint] ?? endpoint.replaceAll('_', ' ')

/** An address without what goes without saying. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

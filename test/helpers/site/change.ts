import { answer, html, type Exchange, type Routes } from './route.ts'

const visits = new Map<string, number>()

function visitOf({ origin, url }: Exchange): number {
  const address = origin + url.pathname + url.search
  const visit = visits.get(address) ?? 0
  visits.set(address, visit + 1)
  return visit
}

/** Pages that differ between visits. Visits are counted per complete URL. */
export const changeRoutes: Routes = {
  '/change/visits/*': (exchange) => article([`This is visit ${visitOf(exchange) + 1}.`])(exchange),
  /**
   * Each visit shows the next `step` of the query, and then the last one: a status, or the paragraphs of a page, split
   * by `|`.
   */
  '/change/steps/*': (exchange) => {
    const steps = exchange.url.searchParams.getAll('step')
    const step = steps[Math.min(visitOf(exchange), steps.length - 1)] ?? ''
    return page(step)(exchange)
  },
}

function page(step: string) {
  if (step === 'shell')
    return html('<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>')
  if (step === 'wall')
    return answer(403, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' }, '<title>Just a moment...</title>')
  if (/^\d{3}$/.test(step))
    return answer(Number(step), { 'content-type': 'text/html' }, `<title>${step}</title><p>Status ${step}.`)
  return article(step.split('|'))
}

const article = (paragraphs: readonly string[]) =>
  html(
    `<!doctype html><title>A page</title><main>${paragraphs.map((each) => `<p>${each.replaceAll('<', '&lt;')}</p>`).join('')}</main>`,
  )

import type { BrowserOption, LeftOut, Visit } from '../../../contracts/scrape-step.ts'
import { outcomeOf } from '../../../kernel/error.ts'
import type { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { DeadlineError } from '../../../util/async.ts'
import { detectBotChallenge } from '../../net/http/bot-challenge.ts'
import type { PageRequest } from '../scrape-request.ts'
import type { LoadedPage } from './visit-outcome.ts'

type StepReporter = Pick<PageRequest, 'reportStep'>

export function reportPlan({ input, reportStep }: Pick<PageRequest, 'input' | 'reportStep'>): void {
  const formats = input.formats.map(({ type }) => type)
  reportStep?.({ step: 'plan', formats, timeoutMs: input.timeout, leftOut: leftOutBy(input) })
}

function leftOutBy(input: ScrapeInput): LeftOut[] {
  const { includeTags = [], excludeTags = [] } = input
  const isWhole = input.formats.every(({ type }) => type === 'rawHtml')
  if (isWhole) return []
  const switches = ['onlyMainContent', 'onlyCleanContent', 'blockAds', 'removeBase64Images'] as const
  return [
    ...switches.filter((name) => input[name]).map((by) => ({ by })),
    ...(input.onlyMainContent && (input.removeSmallImages ?? true) ? [{ by: 'removeSmallImages' } as const] : []),
    ...(includeTags.length > 0 ? [{ by: 'includeTags', selectors: includeTags } as const] : []),
    ...(excludeTags.length > 0 ? [{ by: 'excludeTags', selectors: excludeTags } as const] : []),
  ]
}

/** Returns the first option that requires or prefers a browser; undefined if none does. */
export function optionFor({ formats, actions = [], profile, waitFor, mobile, proxy }: ScrapeInput) {
  const isSet: Record<BrowserOption, boolean> = {
    screenshot: formats.some(({ type }) => type === 'screenshot'),
    branding: formats.some(({ type }) => type === 'branding'),
    actions: actions.length > 0,
    profile: profile !== undefined,
    waitFor: waitFor > 0,
    mobile,
    'enhanced proxy': proxy === 'enhanced' || proxy === 'stealth',
  }
  return (Object.keys(isSet) as BrowserOption[]).find((option) => isSet[option])
}

/** Runs one visit and reports its outcome. Adds the means of the visit and a bot challenge, if any, to the result. */
export async function tracedVisit(
  { reportStep }: StepReporter,
  visit: Visit,
  run: () => Promise<Pick<LoadedPage, 'response' | 'content'>>,
): Promise<LoadedPage> {
  try {
    const loaded = await run()
    const { url, status, headers, body } = loaded.response
    const challenge = detectBotChallenge(loaded.response)
    const facts = {
      status,
      url,
      contentType: headers['content-type'],
      bytes: body.byteLength,
      challenge: challenge?.by,
    }
    reportStep?.({ step: 'visit', ...visit, ...facts })
    return { ...loaded, by: visit.by, proxyUsed: visit.proxy, challenge }
  } catch (thrown) {
    reportStep?.({ step: 'visit', ...visit, failed: thrown instanceof DeadlineError ? 'timed out' : outcomeOf(thrown) })
    throw thrown
  }
}

/** Reports the content read from a page, and returns the page. */
export function reportRead({ reportStep }: StepReporter, loaded: LoadedPage): LoadedPage {
  const { markdown, html, kind, numPages, needsBrowser, unfilled } = loaded.content
  reportStep?.({
    step: 'read',
    characters: (markdown ?? html ?? '').length,
    ...(kind !== undefined && { kind }),
    ...(numPages !== undefined && { numPages }),
    ...(needsBrowser && { isShell: true }),
    ...(unfilled && { unfilled }),
  })
  return loaded
}

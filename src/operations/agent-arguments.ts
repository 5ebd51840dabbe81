import { fail } from '../kernel/error.ts'
import { Action } from '../schema/page-actions.ts'
import { missingOptions, readingActions } from '../schema/scrape/scrape-arguments.ts'
import { isRecord } from '../util/json.ts'

type Args = Record<string, unknown>

const reading: ReadonlySet<string> = new Set(readingActions)
const acting: ReadonlySet<unknown> = new Set(
  Action.options.map(({ shape }) => shape.type.value).filter((type) => !reading.has(type)),
)

const actionsIn = (args: Args): Args[] =>
  Array.isArray(args['actions'])
    ? args['actions'].map((action: unknown) => (isRecord(action) ? action : { type: action }))
    : []
const isActing = ({ type }: Args): boolean => acting.has(type)
const savesProfile = ({ profile }: Args): boolean => isRecord(profile) && profile['saveChanges'] === true

const refuse = (message: string, hint: string): never => fail('BAD_REQUEST', { message, hint })

/** Fails if a format is named without its required field. */
function requireOptions(args: Args): void {
  const missing = missingOptions(args)
  if (missing)
    refuse(
      `The format ${missing.format} needs the field ${missing.field}, which is missing.`,
      `Add ${missing.field}; the format ${missing.format} is then implied.`,
    )
}

/** Several URLs in one value, as a list or separated by white space. */
function severalUrls({ url }: Args): readonly unknown[] | undefined {
  const parts: readonly unknown[] = Array.isArray(url)
    ? url
    : typeof url === 'string'
      ? url.trim().split(betweenUrls)
      : []
  return parts.length > 1 ? parts : undefined
}
/** A comma alone may be part of a URL. */
const betweenUrls = /,?\s+,?\s*(?=https?:\/\/)/i

/**
 * Returns the arguments of a scrape that only reads. Scrape is announced to clients as read-only, so arguments that act
 * on the page fail with BAD_REQUEST and a hint with the equivalent browser_act or browser_execute call.
 */
export function readingScrape(args: Args): Args {
  const urls = severalUrls(args)
  if (urls) refuse('scrape reads one page.', `Call batch_scrape with ${JSON.stringify({ urls })}`)
  requireOptions(args)
  const script = args['executeJavascript']
  const actions = [...actionsIn(args), ...(typeof script === 'string' ? [{ type: 'executeJavascript', script }] : [])]
  if (actions.some(isActing))
    refuse(
      'Over MCP, scrape only reads: it takes no actions that click, type or run code.',
      callsInstead(args, actions),
    )
  if (savesProfile(args))
    refuse(
      'Over MCP, scrape only reads: it cannot save a profile.',
      'Log in with browser_create and its profile.saveChanges, then scrape with profile.name.',
    )
  return withProfileReadOnly(args)
}

/**
 * Same check for the pages of a job, in the options of the call and of each target. `restField` is the field for such
 * actions in the REST API.
 */
export function readingPages(args: Args, restField: string): Args {
  const options = [args, args['scrapeOptions'], ...targetsOf(args).map((target) => target['scrapeOptions'])]
  const pages = options.filter(isRecord)
  for (const page of pages) requireOptions(page)
  if (pages.some((page) => actionsIn(page).some(isActing)))
    refuse(
      'Over MCP, pages of a job are only read: no actions that click, type or run code.',
      `Act on one page with browser_act. Acting on each page of a job is possible over REST: ${restField}.`,
    )
  return args
}

/** Returns the arguments of browser_act. A script fails with BAD_REQUEST and a hint with the browser_execute call. */
export function actingOnly(args: Args): Args {
  const { acts, sessionId, url } = args
  const script = Array.isArray(acts)
    ? acts.filter(isRecord).find(({ type }) => /javascript|^eval/i.test(String(type)))
    : undefined
  if (script) {
    const code = `await page.evaluate(${JSON.stringify(script['script'] ?? script['value'] ?? '…')})`
    refuse('No act runs code.', `Call browser_execute with ${JSON.stringify({ sessionId, url, code })}`)
  }
  return args
}

/** Targets in the arguments of a monitor, which may have the form of the REST API. */
const targetsOf = ({ targets }: Args): Args[] => (Array.isArray(targets) ? targets.filter(isRecord) : [])

/** REST saves a profile by default; a read-only call never does. */
function withProfileReadOnly(args: Args): Args {
  const { profile } = args
  return isRecord(profile) ? { ...args, profile: { ...profile, saveChanges: false } } : args
}

type Call = readonly [tool: string, input: object]

/** Describes the calls that do the same in a live browser, starting with browser_create if there is a profile. */
function callsInstead({ url, profile }: Args, actions: readonly Args[]): string {
  const isScript = ({ type }: Args) => type === 'executeJavascript'
  const scripts = actions.filter(isScript).map(({ script }) => `await page.evaluate(${JSON.stringify(script)})`)
  const acts = [...actions.flatMap(actOf), { type: 'extract', as: 'markdown' }]
  const hasActs = actions.some((action) => isActing(action) && !isScript(action))
  const create: Call[] = profile === undefined ? [] : [['browser_create', { url, profile }]]
  const act: Call[] = hasActs ? [['browser_act', { url, acts }]] : []
  const execute: Call[] = scripts.length > 0 ? [['browser_execute', { url, code: scripts.join('\n') }]] : []
  const calls = [...create, ...act, ...execute].map(([tool, input]) => `${tool} with ${JSON.stringify(input)}`)
  return `Call ${calls.join(', then, with its sessionId instead of url, ')}`
}

/** The equivalent browser act; none for a wait for an element, since acts wait for their targets. */
function actOf(action: Args): object[] {
  const { type, milliseconds, direction, key, fullPage } = action
  const selector = action['selector'] ?? action['target']
  const target = selector === undefined ? {} : { target: `css=${String(selector)}` }
  if (type === 'wait') return milliseconds === undefined ? [] : [{ type, milliseconds }]
  if (type === 'click') return [{ type, ...target }]
  if (type === 'write') return [{ type: 'type', ...target, value: action['text'] ?? action['value'] }]
  if (type === 'press') return [{ type, key }]
  if (type === 'scroll') return [{ type, ...target, ...(direction !== undefined && { direction }) }]
  if (type === 'screenshot') return [{ type, ...(fullPage !== undefined && { fullPage }) }]
  return []
}

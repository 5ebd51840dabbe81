import { z } from 'zod'
import { keyName, words } from './common-fields.ts'
import { ScreenshotOptions } from './scrape/formats.ts'

const Selector = words(10_000).describe('CSS selector.')
const pdfSizes = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const
export const actionTypes = [
  'wait',
  'click',
  'screenshot',
  'write',
  'press',
  'scroll',
  'scrape',
  'executeJavascript',
  'pdf',
] as const

export const Action = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('wait'),
    milliseconds: z.int().min(1).max(60_000).optional(),
    selector: Selector.optional(),
  }),
  z.object({
    type: z.literal('click'),
    selector: Selector,
    all: z.boolean().default(false).describe('Click every match instead of the first.'),
  }),
  ScreenshotOptions.extend({ type: z.literal('screenshot') }),
  z.object({
    type: z.literal('write'),
    text: z.string().max(500_000).describe('Text to type into the focused element.'),
  }),
  z.object({ type: z.literal('press'), key: keyName.describe('Key name, such as Enter.') }),
  z.object({
    type: z.literal('scroll'),
    direction: z.enum(['up', 'down']).default('down'),
    selector: Selector.optional(),
  }),
  z.object({ type: z.literal('scrape') }),
  z.object({ type: z.literal('executeJavascript'), script: words(500_000) }),
  z.object({
    type: z.literal('pdf'),
    format: z.enum(pdfSizes).default('Letter'),
    landscape: z.boolean().default(false),
    scale: z.number().min(0.1).max(2).default(1),
  }),
])
export type Action = z.output<typeof Action>

const maxWaitMs = 60_000
/** A wait for an element counts as this long towards the sum of waits. */
const selectorWaitMs = 1_000

const waitMs = (action: Action) => (action.type === 'wait' ? (action.milliseconds ?? selectorWaitMs) : 0)

/** Rules between the actions of one request. */
export function actionFaults(actions: readonly Action[], waitForMs: number): string[] {
  const unclear = actions.flatMap((action, index) =>
    action.type === 'wait' && (action.milliseconds === undefined) === (action.selector === undefined) ? [index] : [],
  )
  const sumMs = actions.reduce((sum, action) => sum + waitMs(action), waitForMs)
  return [
    ...unclear.map((index) => `actions[${index}]: a wait takes either milliseconds or selector.`),
    ...(sumMs > maxWaitMs
      ? [`waitFor and all wait actions together may take at most ${maxWaitMs} ms, not ${sumMs}.`]
      : []),
  ]
}

const Target = words(1000).describe('Ref from a snapshot (e12), or visible text or label: button "Save", Email.')
const timeMs = z.int().min(0).max(30_000)

/** What can be done in the pages of a session, one shape a kind. */
const PageAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('click'), target: Target, button: z.enum(['left', 'right', 'middle']).optional() }),
  z.object({ type: z.literal('doubleClick'), target: Target }),
  z.object({ type: z.literal('hover'), target: Target }),
  z.object({ type: z.literal('drag'), target: Target, to: Target }),
  // Takes the place of what is in the field. Dates as yyyy-mm-dd, a range as its number.
  z.object({ type: z.literal('fill'), target: Target, value: z.string().max(100_000) }),
  // Adds to what has focus, or to the target.
  z.object({ type: z.literal('type'), value: z.string().max(100_000), target: Target.optional() }),
  z.object({
    type: z.literal('press'),
    key: keyName.describe('Key or key combination, such as Enter or Control+A.'),
    target: Target.optional(),
    times: z.int().min(1).max(100).optional(),
  }),
  // Options by value or by what they say; also of a list made by the page.
  z.object({ type: z.literal('select'), target: Target, options: z.array(z.string().max(10_000)).min(1).max(100) }),
  z.object({
    type: z.literal('check'),
    target: Target,
    checked: z.boolean().optional().describe('False unchecks.'),
  }),
  z.object({ type: z.literal('uncheck'), target: Target }),
  z.object({
    type: z.literal('upload'),
    target: Target,
    files: z
      .array(z.object({ name: words(200), base64: z.string().max(20_000_000) }))
      .min(1)
      .max(10),
  }),
  // To a target; or in a direction, inside of the target if both are given; `screens` below 0 turn it round.
  z.object({
    type: z.literal('scroll'),
    target: Target.optional(),
    direction: z.enum(['up', 'down', 'top', 'end']).optional(),
    screens: z.number().min(-100).max(100).optional(),
    until: words(1000).optional().describe('Scrolls until this text is in view, also where it is yet to load.'),
  }),
  // All that is given has to come true.
  z.object({
    type: z.literal('wait'),
    text: z.string().max(1000).optional(),
    gone: z.string().max(1000).optional(),
    milliseconds: timeMs.optional(),
    timeoutMs: timeMs.optional(),
  }),
  z.object({ type: z.literal('navigate'), url: words(16_384) }),
  z.object({ type: z.literal('back') }),
  z.object({ type: z.literal('forward') }),
  z.object({ type: z.literal('reload') }),
  z.object({
    type: z.literal('tab'),
    do: z.enum(['list', 'open', 'switch', 'close']),
    tab: z.string().max(200).optional(),
    url: z.string().max(16_384).optional(),
  }),
  // Answers the dialog that is open, or else the next one.
  z.object({ type: z.literal('dialog'), accept: z.boolean(), value: z.string().max(10_000).optional() }),
  z.object({
    type: z.literal('extract'),
    target: Target.optional(),
    as: z.enum(['text', 'markdown', 'rows']).default('text'),
    maxCharacters: z.int().min(100).max(200_000).optional(),
    from: z.int().min(0).optional(),
  }),
  // Of what is in view, of an element, or of the whole page.
  z.object({ type: z.literal('screenshot'), target: Target.optional(), fullPage: z.boolean().optional() }),
  // What failed since the last look; or the requests whose URL contains a text; or all of one request (`r3`).
  z.object({
    type: z.literal('network'),
    target: words(20).optional().describe('A request (r3), to see what was sent and answered.'),
    text: words(1000).optional().describe('Only requests with this in their URL, also those that succeeded.'),
  }),
  z.object({ type: z.literal('console') }),
])
const actTypes = PageAct.options.map(({ shape }) => shape.type.value)

/** The same in one shape, for MCP clients that know no unions. */
const FlatAct = z.object({
  type: z.enum(actTypes as [(typeof actTypes)[number], ...(typeof actTypes)[number][]]),
  target: z
    .string()
    .optional()
    .describe(
      'Ref (e12), text or label: button "Save", Email. Optional: type, press (the focus), scroll, extract, screenshot (the page). network: request (r3)',
    ),
  value: z.string().optional().describe('fill, type, dialog'),
  text: z.string().optional().describe('wait; network: part of URLs'),
  key: z.string().optional().describe('press: Control+A'),
  times: z.int().optional().describe('press'),
  options: z.array(z.string()).optional().describe('select'),
  url: z.string().optional().describe('navigate, tab open'),
  to: z.string().optional().describe('drag: target'),
  direction: z.string().optional().describe('scroll: up, down, top, end'),
  screens: z.number().optional().describe('scroll'),
  until: z.string().optional().describe('scroll: to this text'),
  gone: z.string().optional().describe('wait: text to go'),
  milliseconds: z.int().optional().describe('wait'),
  do: z.string().optional().describe('tab: list, open, switch, close'),
  tab: z.string().optional().describe('tab: id'),
  accept: z.boolean().optional().describe('dialog'),
  as: z.string().optional().describe('extract: text, markdown, rows'),
  fullPage: z.boolean().optional().describe('screenshot'),
  button: z.string().optional().describe('click: right, middle'),
  files: z.array(z.looseObject({})).optional().describe('upload: {name, base64}'),
})

const inOrder = 'Done in order until one fails.'
export const Acts = z.array(PageAct).min(1).max(30).describe(inOrder)
/** Going to a URL may be all that is wanted. */
export const ActsAtUrl = Acts.optional().describe(inOrder)
const arriving: ReadonlySet<string> = new Set(['navigate', 'tab'])

export function requireActs({ url, acts }: { url?: string | undefined; acts?: unknown }, check: z.RefinementCtx): void {
  if (url === undefined && acts === undefined)
    check.addIssue({ code: 'custom', path: ['acts'], message: 'Give acts, or a url to go to.' })
}

/** In a session that has no page yet, acts have to begin by going to one. */
export function requirePage(
  { url, acts = [] }: { url?: string | undefined; acts?: readonly { type: string }[] | undefined },
  check: z.RefinementCtx,
): void {
  if (url !== undefined || arriving.has(acts[0]?.type ?? '')) return
  const message = 'Expected a string: the session whose page is meant; give url to open a session there.'
  check.addIssue({ code: 'custom', path: ['sessionId'], message })
}
export const flatActs = z.array(FlatAct).describe(inOrder)

import { z } from 'zod'
import { keyName, words } from './limits.ts'

const Target = words(1000).describe('Ref from a snapshot (e12), or visible text or label: button "Save", Email.')
const timeMs = z.int().min(0).max(30_000)

/** What can be done in the pages of a session, one shape a kind. */
const PageAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('click'), target: Target, button: z.enum(['left', 'right', 'middle']).optional() }),
  z.object({ type: z.literal('doubleClick'), target: Target }),
  z.object({ type: z.literal('hover'), target: Target }),
  z.object({ type: z.literal('drag'), target: Target, to: Target }),
  z.object({ type: z.literal('fill'), target: Target, value: z.string().max(100_000) }),
  z.object({ type: z.literal('type'), text: z.string().max(100_000), target: Target.optional() }),
  z.object({
    type: z.literal('press'),
    key: keyName.describe('Key or key combination, such as Enter or Control+A.'),
    target: Target.optional(),
    times: z.int().min(1).max(100).optional(),
  }),
  z.object({ type: z.literal('select'), target: Target, options: z.array(z.string().max(10_000)).min(1).max(100) }),
  z.object({ type: z.literal('check'), target: Target }),
  z.object({ type: z.literal('uncheck'), target: Target }),
  z.object({
    type: z.literal('upload'),
    target: Target,
    files: z
      .array(z.object({ name: words(200), base64: z.string().max(20_000_000) }))
      .min(1)
      .max(10),
  }),
  z.object({
    type: z.literal('scroll'),
    target: Target.optional(),
    screens: z.number().min(-100).max(100).optional(),
    to: z.enum(['top', 'end']).optional(),
  }),
  z.object({
    type: z.literal('wait'),
    text: z.string().max(1000).optional(),
    gone: z.string().max(1000).optional(),
    ms: timeMs.optional(),
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
  z.object({ type: z.literal('dialog'), accept: z.boolean(), text: z.string().max(10_000).optional() }),
  z.object({
    type: z.literal('extract'),
    target: Target.optional(),
    as: z.enum(['text', 'markdown', 'rows']).default('text'),
    maxCharacters: z.int().min(100).max(200_000).optional(),
    from: z.int().min(0).optional(),
  }),
])
const actTypes = PageAct.options.map(({ shape }) => shape.type.value)

/** The same in one shape, for MCP clients that know no unions. */
const FlatAct = z.object({
  type: z.enum(actTypes as [(typeof actTypes)[number], ...(typeof actTypes)[number][]]),
  target: z.string().optional().describe('Ref (e12), or text or label: button "Save", Email.'),
  value: z.string().optional().describe('fill'),
  text: z.string().optional().describe('type, wait, dialog'),
  key: z.string().optional().describe('press: Enter, Control+A'),
  times: z.int().optional().describe('press'),
  options: z.array(z.string()).optional().describe('select'),
  url: z.string().optional().describe('navigate, tab'),
  to: z.string().optional().describe('drag: target; scroll: top, end'),
  screens: z.number().optional().describe('scroll; negative: up'),
  gone: z.string().optional().describe('wait: text to go'),
  ms: z.int().optional().describe('wait: milliseconds'),
  do: z.string().optional().describe('tab: list, open, switch, close'),
  tab: z.string().optional().describe('tab: id'),
  accept: z.boolean().optional().describe('dialog'),
  as: z.string().optional().describe('extract: text, markdown, rows'),
  button: z.string().optional().describe('click: left, right, middle'),
  files: z.array(z.looseObject({})).optional().describe('upload: {name, base64}'),
})

const inOrder = 'Performed in order until one fails.'
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

import { z } from 'zod'
import { words } from './common-fields.ts'
import { ScreenshotOptions } from './scrape/formats.ts'

const Selector = words(10_000).describe('CSS selector.')
const pdfSizes = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

/** Name of a keyboard key; a space stands for the space bar. */
const keyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name === ' ' || name.trim() !== '', { error: 'Expected the name of a key, such as Enter' })

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

const Target = words(1000).describe('Ref from a snapshot (e12), or visible text or label: button "Save", Email.')
const Place = words(1000).describe(
  'A target as elsewhere, or a place in the last screenshot (at 120,340) or in an element (e12 at 10,5).',
)
const submit = z.boolean().optional().describe('Press Enter afterwards.')
const timeMs = z.int().min(0).max(30_000)

/** Actions in the pages of a session, one shape per kind. */
const PageAct = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('click'),
    target: Place,
    button: z.enum(['left', 'right', 'middle']).optional(),
    times: z.int().min(1).max(3).optional().describe('3 selects a paragraph.'),
  }),
  z.object({ type: z.literal('doubleClick'), target: Place }),
  z.object({ type: z.literal('hover'), target: Place }),
  z.object({
    type: z.literal('drag'),
    target: Place,
    via: z.array(Place).max(50).optional().describe('Places to pass on the way.'),
    to: Place,
  }),
  // Replaces the content of the field. Dates are yyyy-mm-dd, a range is a number.
  z.object({ type: z.literal('fill'), target: Target, value: z.string().max(100_000), submit }),
  // Types into the target or the focused element, keeping its content.
  z.object({ type: z.literal('type'), value: z.string().max(100_000), target: Target.optional(), submit }),
  z.object({
    type: z.literal('press'),
    key: keyName.describe('Key or key combination, such as Enter or Control+A.'),
    target: Target.optional(),
    times: z.int().min(1).max(100).optional(),
  }),
  // Selects options by value or label, even in custom lists built by the page.
  z.object({ type: z.literal('select'), target: Target, options: z.array(z.string().max(10_000)).min(1).max(100) }),
  // Selects the whole target, or a text in it or on the page.
  z.object({ type: z.literal('selectText'), target: Target.optional(), text: words(10_000).optional() }),
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
  // Scrolls to the target, or in a direction (within the target if both are given). Negative `screens` reverse it.
  z.object({
    type: z.literal('scroll'),
    target: Target.optional(),
    direction: z.enum(['up', 'down', 'top', 'end']).optional(),
    screens: z.number().min(-100).max(100).optional(),
    until: words(1000).optional().describe('Scrolls until this text is in view, even if it has to load first.'),
  }),
  // All given conditions must be met.
  z
    .object({
      type: z.literal('wait'),
      text: z.string().max(1000).optional(),
      gone: z.string().max(1000).optional(),
      milliseconds: timeMs.optional(),
      timeoutMs: timeMs.optional(),
    })
    .refine(({ text, gone, milliseconds }) => text !== undefined || gone !== undefined || milliseconds !== undefined, {
      error: 'A wait needs text, gone or milliseconds',
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
  // Answers the open dialog, or the next one if none is open.
  z.object({ type: z.literal('dialog'), accept: z.boolean(), value: z.string().max(10_000).optional() }),
  z.object({
    type: z.literal('extract'),
    target: Target.optional(),
    as: z.enum(['text', 'markdown', 'rows']).default('text'),
    maxCharacters: z.int().min(100).max(200_000).optional(),
    from: z.int().min(0).optional(),
  }),
  // Captures the viewport, an element or the whole page.
  z.object({
    type: z.literal('screenshot'),
    target: Target.optional(),
    fullPage: z.boolean().optional(),
    refs: z.boolean().optional().describe('Draws a box with its ref around each visible control.'),
  }),
  // Lists failed requests since the last call, or requests whose URL contains a text, or one request in full (`r3`).
  z.object({
    type: z.literal('network'),
    target: words(20).optional().describe('A request (r3): shows its content and its response.'),
    text: words(1000).optional().describe('Only requests whose URL contains this, successful ones included.'),
  }),
  z.object({ type: z.literal('console') }),
])
const actTypes = PageAct.options.map(({ shape }) => shape.type.value)

/** The same actions in one shape, for MCP clients without support for unions. */
const FlatAct = z.object({
  type: z
    .enum(actTypes as [(typeof actTypes)[number], ...(typeof actTypes)[number][]])
    .describe('Kind of act; fields below name the kinds that use them.'),
  target: z
    .string()
    .optional()
    .describe(
      'Element: its ref (e12), or its text or label: button "Save", Email. For network: a request (r3). Without it press and type use the focus; scroll, extract and screenshot the page.',
    ),
  value: z
    .string()
    .optional()
    .describe('fill (replaces), type (adds): the text, or {{secret:NAME}} for a stored secret; dialog: the answer'),
  text: z
    .string()
    .optional()
    .describe('wait: text to wait for, and quote; selectText: text to select; network: part of the URL'),
  submit: z.boolean().optional().describe('fill, type: press Enter afterwards'),
  key: z.string().optional().describe('press: a key, such as Enter or Control+A'),
  times: z.int().optional().describe('press, click: how many times'),
  options: z.array(z.string()).optional().describe('select: options by text or value'),
  url: z.string().optional().describe('navigate, tab open: the address'),
  to: z.string().optional().describe('drag: element to drop it on, as in target'),
  direction: z.enum(['up', 'down', 'top', 'end']).optional().describe('scroll: which way; default down'),
  screens: z.number().optional().describe('scroll: how many screens; default 1'),
  until: z.string().optional().describe('scroll: until this text shows'),
  gone: z.string().optional().describe('wait: until this text is gone'),
  milliseconds: z.int().optional().describe('wait: this long, or with text or gone: at least'),
  do: z.enum(['list', 'open', 'switch', 'close']).optional().describe('tab: what to do'),
  tab: z.string().optional().describe('tab: id of the tab, as list shows'),
  accept: z.boolean().optional().describe('dialog: true accepts, false dismisses it'),
  as: z.enum(['text', 'markdown', 'rows']).optional().describe('extract: format; default text; rows for tables'),
  fullPage: z.boolean().optional().describe('screenshot: the whole page'),
  refs: z.boolean().optional().describe('screenshot: mark controls with their refs'),
  button: z.enum(['left', 'right', 'middle']).optional().describe('click: mouse button; default left'),
  files: z
    .array(
      z.object({
        name: z.string().describe('Name of the file.'),
        base64: z.string().describe('Its content in base64.'),
      }),
    )
    .optional()
    .describe('upload: the files'),
})

const inOrder = 'Done in order until one fails.'
export const Acts = z
  .array(PageAct)
  .min(1, { error: 'Give at least one act, or leave acts out to only open url' })
  .max(30)
  .describe(inOrder)
/** Acts are optional if a URL is given: opening it may be all that is needed. */
export const ActsAtUrl = Acts.optional().describe(inOrder)
export const flatActs = z
  .array(FlatAct)
  .describe(
    'Done in order, up to the first failure. Omit to only open url. E.g. [{"type": "fill", "target": "Email", "value": "a@b.c"}, {"type": "click", "target": "button \\"Sign in\\""}, {"type": "wait", "text": "Welcome"}].',
  )

import { z } from 'zod'
import { ScreenshotOptions } from './formats.ts'
import { keyName, words } from '../limits.ts'

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

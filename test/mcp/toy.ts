import { z } from 'zod'
import type { Ports } from '../../src/contracts/ports.ts'
import type { NewCtx } from '../../src/kernel/ctx.ts'
import { fail } from '../../src/kernel/error.ts'
import type { Log } from '../../src/kernel/log.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { toolsOf } from '../../src/kernel/tool.ts'
import { compose, validate } from '../../src/middleware/pipeline.ts'
import type { Caller, McpOptions } from '../../src/surfaces/mcp/server-options.ts'

export const caller: Caller = { team: { id: 'team-a', key: null, permissions: [] }, baseUrl: 'http://127.0.0.1' }
export const otherCaller: Caller = { ...caller, team: { ...caller.team, id: 'team-b' } }

/** Text with headings, code, CJK and emoji, in this number of paragraphs. */
export function longText(paragraphs: number): string {
  return Array.from({ length: paragraphs }, (_, index) => {
    if (index % 7 === 0) return `## Section ${index}\n\nWords and 言葉がここに続く。👩‍👩‍👧 More words follow.`
    if (index % 7 === 3) return `\`\`\`ts\n// # no heading\n${'const value = 1\n'.repeat(index % 40)}\`\`\``
    return `Paragraph ${index}. ${'лорем ipsum 😀 '.repeat(index % 23)}`
  }).join('\n\n')
}

const page = defineOperation({
  name: 'toy_page',
  route: 'POST /v2/toy/page',
  title: 'Read a toy page',
  about: 'Return a long page. Use it to see how long answers are cut.',
  effect: 'read',
  example: { paragraphs: 20 },
  input: z.object({
    paragraphs: z.int().min(1).max(100_000).default(3).describe('Length of the page.'),
    id: z.string().min(3).optional().describe('Name of the page.'),
  }),
  output: z.object({ text: z.string(), visit: z.int() }),
  errors: [],
  mcp: {
    present: ({ text, visit }, { paragraphs }) => ({
      parts: [
        { kind: 'text', text: `Visit ${'#'.repeat(visit % 5)}` },
        { kind: 'page', text, origin: 'https://toy.example/a?b="c">', label: 'markdown' },
        { kind: 'image', base64: 'aGVsbG8=', mimeType: 'image/png' },
        { kind: 'link', uri: `toy://page/${paragraphs}`, name: 'page', mimeType: 'text/markdown' },
      ],
    }),
    resource: { template: 'toy://page/{id}', name: 'Toy page', mimeType: 'text/markdown' },
  },
  run: async ({ paragraphs }) => ({ text: longText(paragraphs), visit: (visits += 1) }),
})
let visits = 0

const add = defineOperation({
  name: 'toy_add',
  route: 'POST /v2/toy/add',
  title: 'Add two numbers',
  about: 'Add two numbers and tell the sum.',
  effect: 'create',
  example: { a: 1, b: 2, unit: 'kg' },
  input: z.object({
    a: z.number().describe('First number.'),
    b: z.number().describe('Second number.'),
    unit: z.enum(['kg', 'm']).nullable().optional().describe('Unit of both.'),
    tags: z.record(z.string(), z.string()).optional().describe('Labels.'),
  }),
  output: z.object({ sum: z.number() }),
  errors: [],
  run: async ({ a, b }) => ({ sum: a + b }),
})

const wait = (report: Report) =>
  defineOperation({
    name: 'toy_wait',
    route: 'POST /v2/toy/wait',
    title: 'Wait until cancelled',
    about: 'Wait until the call is cancelled.',
    effect: 'read',
    example: {},
    input: z.object({}),
    output: z.object({}),
    errors: [],
    run: (_input, { signal, progress }) =>
      new Promise((_resolve, reject) => {
        report('started')
        progress(1, 4, 'waiting')
        signal.addEventListener('abort', () => {
          report('aborted')
          reject(new Error('aborted'))
        })
      }),
  })

const drop = defineOperation({
  name: 'toy_fail',
  route: 'DELETE /v2/toy/:how',
  title: 'Fail',
  about: 'Fail in the way asked for.',
  effect: 'destroy',
  example: { how: 'known' },
  input: z.object({ how: z.enum(['known', 'unknown', 'loud']).describe('Kind of failure.') }),
  output: z.object({}),
  errors: ['JOB_NOT_FOUND'],
  run: async ({ how }) => {
    // oxlint-disable-next-line no-console -- to test that it does not reach stdout
    if (how === 'loud') console.error('loud engine')
    if (how === 'known') fail('JOB_NOT_FOUND')
    throw new Error('secret inner workings')
  },
})

const hidden = defineOperation({ ...add, name: 'toy_hidden', route: 'POST /v2/toy/hidden', mcp: false })

/** Receives the events of toy_wait. */
export type Report = (event: 'started' | 'aborted') => void

export const toyOperations = (report: Report = () => {}): readonly AnyOperation[] => [
  page,
  add,
  wait(report),
  drop,
  hidden,
]

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let calls = 0
export const newToyCtx: NewCtx = (init) => ({
  ...init,
  jobId: `job-${(calls += 1)}`,
  startedAt: Date.now(),
  log: silentLog,
  progress: init.progress ?? (() => {}),
  warn: () => {},
  queuedMs: 0,
  ports: {} as Ports,
})

/** Tools that agents are offered for these operations. */
export const offered = (operations: readonly AnyOperation[]) => ({ operations, tools: toolsOf(operations, []) })

export const toyOptions = (report?: Report): McpOptions => ({
  ...offered(toyOperations(report)),
  invoke: compose([validate]),
  newCtx: newToyCtx,
  log: silentLog,
  info: { name: 'toy', version: '1.0.0', title: 'Toy' },
  instructions: () => 'Toys for tests.',
  alwaysLoad: ['toy_page'],
})

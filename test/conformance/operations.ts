import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { fail } from '../../src/kernel/error.ts'
import { type AnyOperation, defineOperation, type Presentation } from '../../src/kernel/operation.ts'

/** One transparent pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const Nothing = z.object({})

/** Fixtures that ordinary operations can provide. */
export const fixtureOperations: readonly AnyOperation[] = [
  fixture('test_simple_text', { present: say('This is a simple text response for testing.') }),
  fixture('test_image_content', {
    present: () => ({ parts: [{ kind: 'image', base64: png, mimeType: 'image/png' }] }),
  }),
  fixture('test_error_handling', {
    run: async () => fail('SCRAPE_SITE_ERROR', { message: 'This tool intentionally returns an error for testing' }),
  }),
  fixture('test_tool_with_progress', {
    present: say('Done, with progress.'),
    run: async (_input, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress(done, 100, `${done} %`)
        await sleep(50)
      }
      return {}
    },
  }),
  defineOperation({
    name: 'test_template',
    route: 'GET /v2/test/:id',
    title: 'A resource made from a template',
    about: 'Return what is known under an id.',
    effect: 'read',
    example: { id: '123' },
    input: z.object({ id: z.string() }),
    output: z.object({ id: z.string(), templateTest: z.boolean(), data: z.string() }),
    errors: [],
    mcp: { resource: { template: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' } },
    run: async ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
]

type Shape = { present?: () => Presentation; run?: AnyOperation['run'] }

function fixture(name: string, { present, run = async () => ({}) }: Shape): AnyOperation {
  return defineOperation({
    name,
    route: `POST /v2/test/${name}`,
    title: name,
    about: `Fixture ${name} of the conformance suite.`,
    effect: 'read',
    example: {},
    input: Nothing,
    output: Nothing,
    errors: [],
    mcp: present ? { present } : {},
    run,
  })
}

function say(text: string): () => Presentation {
  return () => ({ parts: [{ kind: 'text', text }] })
}

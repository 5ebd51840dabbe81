import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errors } from '../../src/kernel/error-table.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { openApi } from '../../src/surfaces/docs/openapi.ts'
import { toy, toys } from './toys.ts'

type Tree = { name: string; children?: Tree[] | undefined }
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree).optional() }))
const forest: AnyOperation = defineOperation({
  ...toy('toy_stop'),
  name: 'toy_forest',
  route: 'POST /v2/forest/:id',
  input: z.object({ id: z.string(), trees: z.array(tree), first: tree }),
  output: z.looseObject({ trees: z.array(tree) }),
  example: { id: 'a', trees: [], first: { name: 'oak' } },
})

type Doc = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }> }
}
type Described = {
  operationId: string
  parameters?: { name: string; in: string; required: boolean; example?: unknown; schema: unknown }[]
  requestBody?: { content: Record<string, { schema: { $ref: string }; example: unknown }> }
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>
}
const doc = openApi({ operations: [...toys, forest], version: '1.2.3', title: 'Toys' }) as Doc
const all = Object.entries(doc.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, described })),
)
const described = (id: string) => all.find((each) => each.described.operationId === id)?.described

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)))
}

describe('the OpenAPI document', () => {
  it('has every route and alias once, each with its own id', () => {
    const routes = all.map(({ path, method }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    const wanted = [...toys, forest].flatMap((operation) => [operation.route, ...(operation.aliases ?? [])])
    expect(routes.toSorted()).toEqual(wanted.toSorted())
    expect(new Set(all.map((each) => each.described.operationId)).size).toBe(all.length)
  })

  it('has no dangling reference and no unused schema', () => {
    const refs = new Set(refsIn(doc))
    expect(refs.size).toBeGreaterThan(5)
    const names = Object.keys(doc.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect([...refs].toSorted()).toEqual(names.toSorted())
    expect(JSON.stringify(doc)).not.toContain('$defs')
  })

  it('has a parameter for each slot of a path', () => {
    for (const { path, described: one } of all) {
      const slots = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (one.parameters ?? []).filter((each) => each.in === 'path')
      expect(declared.map((each) => each.name)).toEqual(slots)
      expect(declared.every((each) => each.required)).toBe(true)
    }
  })
})

describe('an operation in the OpenAPI document', () => {
  it('has the rest of its input as body, with an example', () => {
    const content = described('toy_echo')?.requestBody?.content['application/json']
    expect(content).toEqual({ schema: { $ref: '#/components/schemas/ToyEchoRequest' }, example: { text: "it's" } })
    const schema = doc.components.schemas['ToyEchoRequest']
    expect(Object.keys(schema?.properties ?? {})).toEqual(['text', 'times', 'shapes'])
    expect(schema?.required).toEqual(['text'])
  })

  it('has its input as query if there is no body', () => {
    const list = described('toy_list')
    expect(list?.requestBody).toBeUndefined()
    expect(list?.parameters?.map(({ name }) => name)).toEqual([
      'limit',
      'ratio',
      'all',
      'tags',
      'sizes',
      'name',
      'where',
    ])
    expect(list?.parameters?.[0]).toMatchObject({
      in: 'query',
      required: false,
      example: 2,
      schema: { type: 'integer', default: 5 },
    })
  })

  it('lists its errors by status, and a failure with status 200 as a variant of success', () => {
    const responses = described('toy_echo')?.responses ?? {}
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '404', '413', '500', '501'])
    expect(responses['404']?.description).toBe(`JOB_NOT_FOUND: ${errors.JOB_NOT_FOUND.message}`)
    expect(JSON.stringify(responses['400'])).toContain('BAD_REQUEST_INVALID_JSON')
    expect(JSON.stringify(responses['200']?.content)).toContain('SCRAPE_DNS_RESOLUTION_ERROR')
    expect(JSON.stringify(described('toy_list')?.responses)).not.toContain('INVALID_JSON')
  })
})

import { Firecrawl } from 'firecrawl'
import { expect, test } from 'vitest'
import { operations, tools } from '../../src/operations/index.ts'
import { catalogueOf } from '../../src/surfaces/dashboard/dashboard.ts'
import { fieldsOf, fromLines, toLines } from '../../src/web/dashboard/views/call-fields.ts'
import { cliLine, restCall, sdkMethods, requestOf } from '../../src/kernel/written-call.ts'
import { toRequest } from '../../src/kernel/route.ts'

const catalogue = catalogueOf(operations, tools)
const named = (name: string) => catalogue.find((each) => each.name === name)!
const where = { origin: 'http://here:1', hasKey: true }

test('the page sends what the service itself would send', () => {
  for (const operation of operations) {
    const { body, ...sent } = requestOf(named(operation.name), { ...operation.example })
    expect({ ...sent, ...(body && { body }) }).toEqual(toRequest(operation, operation.example))
  }
})

test('every named SDK method and operation exists', () => {
  const client: Record<string, unknown> = new Firecrawl({ apiUrl: 'http://here:1', apiKey: 'none' }) as never
  for (const [name, [method]] of Object.entries(sdkMethods)) {
    expect([name, catalogue.some((each) => each.name === name)]).toEqual([name, true])
    expect([method, typeof client[method]]).toEqual([method, 'function'])
  }
})

test('a shell reads the copied call verbatim, including quotes', () => {
  const input = { url: "https://x.example/it's", formats: ['markdown'] }
  expect(cliLine(named('scrape'), input, where)).toBe(
    String.raw`GOSSAMER_REMOTE_URL='http://here:1' \
  GOSSAMER_REMOTE_KEY="$GOSSAMER_API_KEY" \
  gossamer call scrape '{"url":"https://x.example/it'\''s","formats":["markdown"]}'`,
  )
  expect(restCall(named('crawl_status'), { id: 'a/b', skip: 5 }, where)).toBe(
    `curl 'http://here:1/v2/crawl/a%2Fb?skip=5' \\\n  -H "Authorization: Bearer $GOSSAMER_API_KEY"`,
  )
})

test('fields are shown by their type', () => {
  const kinds = Object.fromEntries(fieldsOf(named('scrape').schema).map(({ name, kind }) => [name, kind]))
  expect(kinds).toMatchObject({
    url: 'text',
    formats: 'several',
    onlyMainContent: 'switch',
    timeout: 'number',
    proxy: 'choice',
    headers: 'json',
    includeTags: 'list',
  })
  expect(fieldsOf(named('browser_execute').schema).find(({ name }) => name === 'code')?.kind).toBe('long')
  expect(fieldsOf(named('parse').schema).find(({ name }) => name === 'file')).toMatchObject({
    kind: 'file',
    isRequired: true,
  })
})

test('lines contain text and JSON, and are parsed back unchanged', () => {
  const items = ['markdown', { type: 'screenshot', fullPage: true }, 7]
  expect(fromLines(toLines(items))).toEqual(items)
  expect(fromLines('{"half": \n\n  spaced ')).toEqual(['{"half": ', 'spaced'])
  expect(fromLines(' \n')).toBeUndefined()
})

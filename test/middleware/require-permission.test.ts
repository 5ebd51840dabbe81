import { expect, test } from 'vitest'
import type { OperationPermission, Permission } from '../../src/contracts/account-ports.ts'
import { compose } from '../../src/middleware/pipeline.ts'
import { requireAllowed, requirePermission } from '../../src/middleware/team-limits.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'
import { operations } from '../../src/operations/index.ts'
import { toy, under } from './toy.ts'

const requiring = (needed: OperationPermission[]) => toy({ permissions: () => needed })
const callBy = (granted: Permission[]) => fakeCtx({ team: { id: 'acme', key: null, permissions: granted } })

test('an option that needs a permission is refused by name to a team without it', async () => {
  const run = under(requirePermission)(
    requiring(['zeroDataRetention', 'ignoreRobotsTxt']),
    {},
    callBy(['ignoreRobotsTxt']),
  )
  expect(await failureOf(run)).toMatchObject({
    code: 'PERMISSION_REQUIRED',
    status: 403,
    message: expect.stringContaining('zeroDataRetention'),
    details: { permissions: ['zeroDataRetention'] },
  })
})

test.each([
  ['the team has it', requiring(['zeroDataRetention']), callBy(['zeroDataRetention', 'searchEnterprise'])],
  ['the input requires none', requiring([]), callBy([])],
  ['the operation requires none', toy(), callBy([])],
] as const)('a call that requires a permission runs if %s', async (_, operation, ctx) => {
  expect(await under(requirePermission)(operation, { text: 'a' }, ctx)).toEqual({ got: { text: 'a' } })
})

test('a key limited to operations can call no other', async () => {
  const ctx = fakeCtx({ team: { id: 'acme', key: 'k', permissions: [], limits: { operations: ['scrape'] } } })
  const refused = await failureOf(under(requireAllowed(false))(toy({ name: 'crawl' }), {}, ctx))
  expect(refused).toMatchObject({ code: 'PERMISSION_REQUIRED', message: 'This key may not call crawl.' })
  expect(await under(requireAllowed(false))(toy({ name: 'scrape' }), { text: 'a' }, ctx)).toEqual({
    got: { text: 'a' },
  })
})

test.each<[string, string, object, string | undefined]>([
  ['a call that reads', 'map', { url: 'https://a.example' }, undefined],
  ['a scrape that only reads', 'scrape', { url: 'https://a.example', actions: [{ type: 'scroll' }] }, undefined],
  [
    'a scrape that clicks',
    'scrape',
    { url: 'https://a.example', actions: [{ type: 'click', selector: 'a' }] },
    'act on',
  ],
  [
    'a search whose pages are clicked',
    'search',
    { query: 'a', scrapeOptions: { actions: [{ type: 'press' }] } },
    'act on',
  ],
  ['a live browser', 'browser_create', {}, 'change something'],
  ['a crawl', 'crawl', { url: 'https://a.example' }, 'change something'],
  ['the end of a monitor', 'monitor_delete', { id: 'a' }, 'change something'],
])('a read-only key or server permits only reading: %s', async (_, name, input, why) => {
  const operation = operations.find((each) => each.name === name)!
  const readOnly = fakeCtx({ team: { id: 'acme', key: 'k', permissions: [], limits: { readOnly: true } } })
  for (const [isReadOnly, ctx] of [
    [true, fakeCtx()],
    [false, readOnly],
  ] as const) {
    const answer = compose([requireAllowed(isReadOnly)], () => async () => ({}))(operation, input, ctx)
    if (why === undefined) await expect(answer).resolves.toEqual({})
    else
      expect(await failureOf(answer)).toMatchObject({
        code: 'PERMISSION_REQUIRED',
        message: expect.stringContaining(why),
      })
  }
})

test('an unlimited key on a server that is not read-only makes any call', async () => {
  const operation = operations.find((each) => each.name === 'monitor_delete')!
  expect(await compose([requireAllowed(false)], () => async () => ({}))(operation, { id: 'a' }, fakeCtx())).toEqual({})
})

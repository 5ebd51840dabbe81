import { expect, test } from 'vitest'
import type { OperationPermission, Permission } from '../../src/contracts/account-ports.ts'
import { requirePermission } from '../../src/middleware/team-limits.ts'
import { failureOf, fakeCtx } from '../helpers/fakes.ts'
import { toy, under } from './toy.ts'

const asking = (needed: OperationPermission[]) => toy({ permissions: () => needed })
const callBy = (granted: Permission[]) => fakeCtx({ team: { id: 'acme', key: null, permissions: granted } })

test('an option that needs a permission is refused to a team without it, by name', async () => {
  const run = under(requirePermission)(
    asking(['zeroDataRetention', 'ignoreRobotsTxt']),
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
  ['the team has it', asking(['zeroDataRetention']), callBy(['zeroDataRetention', 'searchEnterprise'])],
  ['the input needs none', asking([]), callBy([])],
  ['the operation knows none', toy(), callBy([])],
] as const)('a call goes on where %s', async (_, operation, ctx) => {
  expect(await under(requirePermission)(operation, { text: 'a' }, ctx)).toEqual({ got: { text: 'a' } })
})

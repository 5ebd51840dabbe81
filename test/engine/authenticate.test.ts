import { describe, expect, test } from 'vitest'
import { createAuthenticate } from '../../src/engine/account/authenticate.ts'
import type { Team } from '../../src/kernel/ctx.ts'

const stored = { name: 'laptop', teamId: 'home', permissions: ['searchEnterprise'] as const }
const local: Team = { id: 'local', key: null, permissions: [] }

function setting(nobody: Team | undefined) {
  const looked: string[] = []
  const authenticate = createAuthenticate({
    configured: ['plain-key', 'acme:acme-key', 'acme:with:colon', ':bare-key', 'paused:paused-key'],
    adminKey: 'admin-key',
    permissions: ['zeroDataRetention'],
    stateOf: async (id) => ({ disabled: id === 'paused' }),
    findStored: async (key) => {
      looked.push(key)
      return key === 'stored-key' ? stored : undefined
    },
    keyless: async () => nobody,
  })
  return { authenticate, looked }
}
const closed = () => setting(undefined)

test.each([
  ['plain-key', 'default', 'configured-1'],
  ['acme-key', 'acme', 'configured-2'],
  ['with:colon', 'acme', 'configured-3'],
  ['bare-key', 'default', 'configured-4'],
])('a configured key (%s) belongs to team %s, with the permissions of the settings', async (key, id, name) => {
  const { authenticate, looked } = closed()
  expect(await authenticate(`Bearer ${key}`)).toEqual({ id, key: name, permissions: ['zeroDataRetention'] })
  expect(looked).toEqual([])
})

test('a key of a disabled team is refused by name', async () => {
  await expect(closed().authenticate('Bearer paused-key')).rejects.toMatchObject({ code: 'TEAM_DISABLED', status: 403 })
})

test('the admin key manages the server, and belongs to no team with keys', async () => {
  const { authenticate, looked } = closed()
  expect(await authenticate('Bearer admin-key')).toEqual({ id: 'local', key: 'admin', permissions: ['admin'] })
  expect(looked).toEqual([])
})

test('permissions of a team apply to all of its keys', async () => {
  const team: Team = { id: 'granted', key: 'laptop', permissions: ['localFiles'] }
  const authenticate = createAuthenticate({
    configured: ['granted:its-key'],
    adminKey: undefined,
    permissions: ['zeroDataRetention'],
    stateOf: async () => ({ permissions: ['localFiles'] }),
    findStored: async () => ({ ...stored, teamId: 'granted' }),
    keyless: async () => undefined,
  })
  expect(await authenticate('Bearer stored-key')).toEqual(team)
  expect(await authenticate('Bearer its-key')).toEqual({ ...team, key: 'configured-1' })
})

test('a stored key has its team and its permissions', async () => {
  expect(await closed().authenticate('Bearer stored-key')).toEqual({
    id: 'home',
    key: 'laptop',
    permissions: ['searchEnterprise'],
  })
})

test.each(['bearer plain-key', 'BEARER plain-key', 'Bearer   plain-key ', 'Bearer plain-key'])(
  '%j is accepted as a key',
  async (header) => expect(await closed().authenticate(header)).toMatchObject({ id: 'default' }),
)

test.each(['plain-key', 'Basic plain-key', 'Bearerplain-key', 'Bearer plain-key more', 'Token plain-key', ''])(
  '%j is refused as a key, whether one is required or not',
  async (header) => {
    expect(await closed().authenticate(header)).toBeUndefined()
    expect(await setting(local).authenticate(header)).toBeUndefined()
  },
)

describe('a caller without a key', () => {
  test.each([[undefined], ['Bearer'], ['Bearer ']])('(%j) is refused if a key is required', async (header) => {
    expect(await closed().authenticate(header)).toBeUndefined()
  })

  test.each([[undefined], ['Bearer'], ['Bearer '], ['Bearer any-key'], ['Bearer undefined']])(
    '(%j) is accepted if no key is required',
    async (header) => expect(await setting(local).authenticate(header)).toBe(local),
  )

  test('does not include one with a key, even if no key is required', async () => {
    expect(await setting(local).authenticate('Bearer stored-key')).toMatchObject({ id: 'home' })
  })
})

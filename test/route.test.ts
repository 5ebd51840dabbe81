import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AnyOperation, defineOperation } from '../src/kernel/operation.ts'
import { createRouter, slotsOf, toRequest } from '../src/kernel/route.ts'
import { toy, toys } from './http/toys.ts'

const route = createRouter(toys)
const found = (method: string, path: string) => {
  const match = route(method, new URL(path, 'http://x'))
  return match && 'operation' in match ? { name: match.operation.name, slots: match.slots, query: match.query } : match
}

describe('an input becomes a request', () => {
  it.each([
    [
      'slots and body of a POST',
      'toy_echo',
      { id: 'a/b ü', text: 'hi', times: undefined },
      { method: 'POST', path: '/v2/toy/a%2Fb%20%C3%BC/echo', body: { text: 'hi' } },
    ],
    [
      'a query, arrays as repeated keys',
      'toy_list',
      { tags: ['a', 'b&c'], all: false, name: undefined },
      { method: 'GET', path: '/v2/toy?tags=a&tags=b%26c&all=false' },
    ],
    [
      'an object in a query',
      'toy_list',
      { where: { x: 1 }, ratio: null },
      { method: 'GET', path: '/v2/toy?where=%7B%22x%22%3A1%7D&ratio=null' },
    ],
    [
      'slots and query of a DELETE',
      'toy_stop',
      { id: 'x', force: true },
      { method: 'DELETE', path: '/v2/toy/x?force=true' },
    ],
  ])('%s', (_, name, input, request) => expect(toRequest(toy(name), input)).toEqual(request))

  it.each(['', '.', '..', '\ud800', undefined, {}])('refuses %j as a slot', (id) => {
    expect(() => toRequest(toy('toy_read'), { id })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  it('the input stays unchanged', () => {
    const input = Object.freeze({ id: 'a', text: 'b' })
    expect(() => toRequest(toy('toy_echo'), input)).not.toThrow()
  })
})

describe('a request finds its operation', () => {
  it.each([
    ['a fixed segment before a slot', 'GET', '/v2/toy/active', { name: 'toy_active', slots: {}, query: {} }],
    ['a slot', 'GET', '/v2/toy/a%2Fb%20%C3%BC', { name: 'toy_read', slots: { id: 'a/b ü' }, query: {} }],
    ['a trailing slash', 'GET', '/v2/toy/', { name: 'toy_list', slots: {}, query: {} }],
    ['an alias', 'POST', '/v2/parrot/7', { name: 'toy_echo', slots: { id: '7' }, query: {} }],
    [
      'a slot where only the static route has another method',
      'DELETE',
      '/v2/toy/active',
      { name: 'toy_stop', slots: { id: 'active' }, query: {} },
    ],
    ['an unknown method of a known path', 'PUT', '/v2/toy/a', { allowed: ['GET', 'DELETE'] }],
    ['an unknown path', 'GET', '/v2/toys', undefined],
    ['an empty slot', 'POST', '/v2/toy//echo', undefined],
  ])('%s', (_, method, path, match) => expect(found(method, path)).toEqual(match))

  it('a broken escape is refused', () => {
    expect(() => found('GET', '/v2/toy/%E0%A4')).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', status: 400 }))
  })
})

describe('texts of the query become the types of the schema', () => {
  it.each([
    ['limit=3', { limit: 3 }],
    ['limit=3.5', { limit: 3.5 }],
    ['limit=many', { limit: 'many' }],
    ['limit=0x10', { limit: '0x10' }],
    ['ratio=-1.5e3', { ratio: -1500 }],
    ['all=true', { all: true }],
    ['tags=1&tags=true', { tags: ['1', 'true'] }],
    ['sizes=1&sizes=x', { sizes: [1, 'x'] }],
    ['where={"x":1}', { where: { x: 1 } }],
    ['where={x', { where: '{x' }],
  ])('%s', (query, values) => expect(found('GET', `/v2/toy?${query}`)).toMatchObject({ query: values }))

  it('a field of the query accepts one or several texts if its schema, even by reference, allows both', () => {
    const either = z.union([z.enum(['a', 'b']), z.array(z.enum(['a', 'b']))]).meta({ id: 'Either' })
    const operation: AnyOperation = defineOperation({
      ...toy('toy_list'),
      route: 'GET /v2/either',
      input: z.object({ one: either.optional(), same: either.optional() }),
    })
    const router = createRouter([operation])
    const query = (text: string) => router('GET', new URL(`http://x/v2/either?${text}`))
    expect(query('one=a')).toMatchObject({ query: { one: 'a' } })
    expect(query('same=a&same=b')).toMatchObject({ query: { same: ['a', 'b'] } })
  })
})

it.each(toys.map((operation) => [operation.name, operation] as const))(
  '%s is read back from its own request',
  (_, operation) => {
    const { method, path, body = {} } = toRequest(operation, operation.example)
    const match = route(method, new URL(path, 'http://x'))
    if (!match || 'allowed' in match) throw new Error('no match')
    expect(match.operation).toBe(operation)
    expect({ ...match.query, ...body, ...match.slots }).toEqual(operation.example)
  },
)

it('slots of a route are returned in order', () => expect(slotsOf('GET /v2/a/:one/b/:two')).toEqual(['one', 'two']))

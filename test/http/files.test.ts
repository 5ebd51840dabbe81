import { describe, expect, it } from 'vitest'
import type { LinkedFile } from '../../src/contracts/fetch.ts'
import { toyApp } from './toys.ts'

const png: LinkedFile = { mediaType: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0, 255) }
const files = { find: async (id: string) => (id === 'a_-1' ? png : undefined) }
const ask = (path: string, init: RequestInit = {}) => toyApp({ files }).request(`http://127.0.0.1${path}`, init)

describe('a linked file', () => {
  it('is sent to anyone with the link, and runs nothing', async () => {
    const answer = await ask('/v2/files/a_-1')
    expect(answer.status).toBe(200)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png.bytes)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="page.png"',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^private, .*immutable$/),
    })
  })

  it.each(['/v2/files/b', '/v2/files/', '/v2/files/a_-1/x', '/v2/files/%E0%A4%A', '/v2/files/..%2fa_-1'])(
    'is not found at %s',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' })
    },
  )

  it('is behind the same guard as every route', async () => {
    expect((await ask('/v2/files/a_-1', { headers: { host: 'evil.example' } })).status).toBe(403)
  })
})

import { describe, expect, test } from 'vitest'
import { createRemoteInvoke } from '../../src/surfaces/remote.ts'
import { forAll } from '../helpers/for-all.ts'
import { ctxWith, key, serveToys, toy } from './toys.ts'

const toys = forAll(serveToys)

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const base64 = Buffer.from(bytes).toString('base64')

type Answer = { status: number; body: { success: boolean; code?: string; error?: string; got?: object } }
async function send(body: string | FormData, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${toys.server.url}/v2/take`, {
    method: 'POST',
    body,
    headers: { authorization: key, ...headers },
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

function form(parts: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(parts)) data.append(name, value)
  return data
}
const file = (name: string, type: string, content: Uint8Array<ArrayBuffer> = bytes) =>
  new File([content], name, { type })

describe('a file over REST', () => {
  test('is sent as a part of a multipart body, unchanged, with the other fields as JSON', async () => {
    const { body } = await send(form({ options: '{"label":"ü"}', file: file('größe 1.bin', 'application/x-test') }))
    expect(body.got).toEqual({
      file: { filename: 'größe 1.bin', contentType: 'application/x-test', base64 },
      label: 'ü',
    })
  })

  test.each([
    ['has no such part', form({ options: '{}' }), 'file part'],
    ['has text in its place', form({ file: 'hello' }), 'file part'],
    ['has options that are no JSON', form({ options: '{', file: file('a', '') }), 'options'],
    ['has options that are a list', form({ options: '[]', file: file('a', '') }), 'options'],
    ['has options that are a file', form({ options: file('o', ''), file: file('a', '') }), 'options'],
  ])('that %s is refused, and the error names what is missing', async (_, body, said) => {
    const answer = await send(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(answer.body.error).toContain(said)
  })

  test.each([
    ['without a boundary', 'multipart/form-data'],
    ['with a boundary that is not in the body', 'multipart/form-data; boundary=other'],
  ])('%s is refused', async (_, type) => {
    expect(await send('--x\r\n\r\nhi\r\n--x--', { 'content-type': type })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  })

  test('must be the only one: with two, neither is read', async () => {
    const two = form({ file: file('a', '') })
    two.append('file', file('b', ''))
    const answer = await send(two)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(answer.body.error).toContain('2 files')
  })

  test('that is too large is refused, as part and as body', async () => {
    for (const size of [2001, 3_000_000]) {
      const answer = await send(form({ file: file('a', '', new Uint8Array(size)) }))
      expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    }
  })
})

test('a file is forwarded unchanged to a remote service', async () => {
  const call = createRemoteInvoke({ baseUrl: toys.server.url, apiKey: 'good' })
  const sent = { file: { filename: 'größe.bin', contentType: 'application/x-test', base64 }, label: 'x' }
  expect(await call(toy('toy_take'), sent, ctxWith())).toEqual({ got: sent })
  const typeless = { file: { filename: 'a.txt', base64 } }
  expect(await call(toy('toy_take'), typeless, ctxWith())).toMatchObject({ got: typeless })
})

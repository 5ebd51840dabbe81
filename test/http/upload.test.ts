import { describe, expect, test } from 'vitest'
import { createRemoteInvoke } from '../../src/surfaces/remote.ts'
import { forAll } from '../helpers/for-all.ts'
import { ctxWith, key, serveToys, toy } from './toys.ts'

const toys = forAll(serveToys)

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const base64 = Buffer.from(bytes).toString('base64')

type Body = { success: boolean; code?: string; error?: string; details?: object; got?: object }
type Answer = { status: number; body: Body }
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

describe('upload of a file over REST', () => {
  test('a part of a multipart body arrives unchanged, with the other fields from the JSON of options', async () => {
    const { body } = await send(form({ options: '{"label":"ü"}', file: file('größe 1.bin', 'application/x-test') }))
    expect(body.got).toEqual({
      file: { filename: 'größe 1.bin', contentType: 'application/x-test', base64 },
      label: 'ü',
    })
  })

  test.each([
    ['without a file part', form({ options: '{}' }), 'file'],
    ['with text instead of the file', form({ file: 'hello' }), 'file'],
    ['with options that are not JSON', form({ options: '{', file: file('a', '') }), 'options'],
    ['with options that are a list', form({ options: '[]', file: file('a', '') }), 'options'],
    ['with options that are a file', form({ options: file('o', ''), file: file('a', '') }), 'options'],
  ])('a body %s is refused, and error and details name the part', async (_, body, part) => {
    const { status, body: refusal } = await send(body)
    const error: unknown = expect.stringContaining(part)
    expect({ status, ...refusal }).toMatchObject({ status: 400, code: 'BAD_REQUEST', error })
    expect(refusal.details).toMatchObject([{ path: [part], message: refusal.error }])
  })

  test.each([
    ['without a boundary', 'multipart/form-data'],
    ['with a boundary that is not in the body', 'multipart/form-data; boundary=other'],
  ])('a multipart body %s is refused', async (_, type) => {
    expect(await send('--x\r\n\r\nhi\r\n--x--', { 'content-type': type })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    })
  })

  test('a body with two files is refused', async () => {
    const two = form({ file: file('a', '') })
    two.append('file', file('b', ''))
    const error: unknown = expect.stringContaining('2 files')
    expect(await send(two)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', error, details: [{ path: ['file'] }] },
    })
  })

  test('a file that is too large is refused, as a part or by the size of the body', async () => {
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

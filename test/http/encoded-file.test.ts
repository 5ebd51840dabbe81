import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/error.ts'
import { decodedInPlace, inputFrom } from '../../src/surfaces/http/body/input.ts'
import { FileBytes } from '../../src/util/file-bytes.ts'
import { toy } from './toys.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
/** Longer than the minimum for decoding in place; its length is not a multiple of a chunk or of three. */
const content = Buffer.from(Uint8Array.from({ length: 150_001 }, (_, at) => (at * 7919) >> 3))
const base64 = content.toString('base64')
const bodyOf = (raw: string, rest = '') => `{"label":"ü","file":{"filename":"größe.bin","base64" : "${raw}"}${rest}}`
const decoded = (body: string) => decodedInPlace(bytesOf(body), 'file')
const taken = (body: string) => Buffer.from(decoded(body)!.file.take())
const lines = (mark: string) => base64.replace(/.{76}/g, (line) => line + mark)

describe('a file in base64', () => {
  test('is decoded in place, and the rest of the body is parsed without it', () => {
    const bytes = bytesOf(bodyOf(base64, ',"more":[1]'))
    const found = decodedInPlace(bytes, 'file')
    expect(found?.value).toEqual({
      label: 'ü',
      file: { filename: 'größe.bin', base64: expect.any(FileBytes) },
      more: [1],
    })
    expect(found?.expected).toBe(content.byteLength)
    expect(bytes.byteLength).toBe(0)
    expect(content.equals(found!.file.take())).toBe(true)
  })

  test.each([
    ['in the URL-safe alphabet', content.toString('base64url')],
    ['in lines', lines('\\r\\n')],
    ['with escaped slashes', base64.replaceAll('/', String.raw`\/`)],
    ['with characters written as escapes', `${base64.slice(0, 70_000)}\\u0041\\u00e9${base64.slice(70_000)}`],
    ['with invalid characters', `${base64.slice(0, 70_000)}é漢!${base64.slice(70_000)}`],
    ['with padding in the middle', `${base64.slice(0, 70_001)}=${base64.slice(70_001)}`],
    ['cut in the middle of four characters', base64.slice(0, -5)],
    ['cut after one character of four', base64.slice(0, 100_001)],
    ['with too much padding', `${base64}====`],
  ])('%s is decoded as Buffer decodes it', (_, raw) => {
    const whole = (JSON.parse(`"${raw}"`) as string).normalize()
    const found = decoded(bodyOf(raw))
    expect(found?.expected).toBe(Buffer.byteLength(whole, 'base64'))
    expect(Buffer.from(whole, 'base64').equals(found!.file.take())).toBe(true)
  })

  test('is decoded correctly wherever its chunks end', () => {
    for (let more = 0; more < 16; more += 1) {
      const raw = `${base64.slice(0, 65_528 + more)}\\u0041é\\/\\n${base64.slice(65_528 + more)}`
      expect(Buffer.from(JSON.parse(`"${raw}"`) as string, 'base64').equals(taken(bodyOf(raw))), String(more)).toBe(
        true,
      )
    }
  })
})

test.each([
  ['is short', bodyOf('YSxi')],
  ['is a data URL', bodyOf(`data:text/csv;base64,${base64}`)],
  ['ends with other text', bodyOf(`${base64}!`)],
  ['is blank', bodyOf(' '.repeat(100_000))],
  ['starts with padding', bodyOf(`=${base64}`)],
  ['is in another field', `{"options":{"base64":"${base64}"},"file":{}}`],
  ['is replaced by a later field', `{"file":{"base64":"${base64}"},"file":{"base64":"YSxi"}}`],
  ['is in a field whose name only ends with base64', `{"file":{"a\\"base64":"${base64}"}}`],
  ['does not end', `{"file":{"base64":"${base64}`],
  ['is in invalid JSON', `${bodyOf(base64)}}`],
  ['is in a list', `[{"base64":"${base64}"}]`],
])('a body whose base64 text %s is not decoded in place', (_, body) => {
  const bytes = bytesOf(body)
  expect(decodedInPlace(bytes, 'file')).toBeUndefined()
  expect(new TextDecoder().decode(bytes)).toBe(body)
})

describe('a body with a file', () => {
  const match = { operation: toy('toy_take'), query: {}, slots: {}, input: (sent: object) => ({ ...sent }) }
  const codeOf = (bytes: Uint8Array<ArrayBuffer>) => {
    try {
      inputFrom(match as unknown as Parameters<typeof inputFrom>[0], bytes)
      return 'none'
    } catch (thrown) {
      return thrown instanceof AppError ? thrown.code : String(thrown)
    }
  }
  const half = 70_000
  const within = (text: string) => bodyOf(base64.slice(0, half) + text + base64.slice(half))

  test.each([
    ['an unescaped line end', within('\n')],
    ['an invalid escape', within(String.raw`\x41`)],
    ['half an escape', within(String.raw`\u00`)],
  ])('with %s is refused as invalid JSON', (_, body) => expect(codeOf(bytesOf(body))).toBe('BAD_REQUEST_INVALID_JSON'))

  test('that is too large is refused, decoded in place or not', () => {
    expect(codeOf(bytesOf(bodyOf(base64)))).toBe('PAYLOAD_TOO_LARGE')
    expect(codeOf(bytesOf(bodyOf('YSxi'.repeat(700))))).toBe('PAYLOAD_TOO_LARGE')
    expect(codeOf(bytesOf(bodyOf('YSxi')))).toBe('none')
  })
})

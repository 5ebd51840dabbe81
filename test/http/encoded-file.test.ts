import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/error.ts'
import { decodedInPlace, inputFrom } from '../../src/surfaces/http/body/input.ts'
import { FileBytes } from '../../src/util/file-bytes.ts'
import { toy } from './toys.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
/** More than is decoded in place at least, and no multiple of anything. */
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
    ['for addresses', content.toString('base64url')],
    ['in lines', lines('\\r\\n')],
    ['with slashes behind backslashes', base64.replaceAll('/', String.raw`\/`)],
    ['with letters as escapes within', `${base64.slice(0, 70_000)}\\u0041\\u00e9${base64.slice(70_000)}`],
    ['with other letters within', `${base64.slice(0, 70_000)}é漢!${base64.slice(70_000)}`],
    ['with its end within', `${base64.slice(0, 70_001)}=${base64.slice(70_001)}`],
    ['cut in the middle of four letters', base64.slice(0, -5)],
    ['cut after one letter of four', base64.slice(0, 100_001)],
    ['that is longer than it seems', `${base64}====`],
  ])('%s is decoded as by Buffer', (_, raw) => {
    const whole = (JSON.parse(`"${raw}"`) as string).normalize()
    const found = decoded(bodyOf(raw))
    expect(found?.expected).toBe(Buffer.byteLength(whole, 'base64'))
    expect(Buffer.from(whole, 'base64').equals(found!.file.take())).toBe(true)
  })

  test('is decoded alike wherever its chunks are cut', () => {
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
  ['is an address of data', bodyOf(`data:text/csv;base64,${base64}`)],
  ['ends in text', bodyOf(`${base64}!`)],
  ['is blank', bodyOf(' '.repeat(100_000))],
  ['begins with its end', bodyOf(`=${base64}`)],
  ['stands elsewhere', `{"options":{"base64":"${base64}"},"file":{}}`],
  ['is followed by another', `{"file":{"base64":"${base64}"},"file":{"base64":"YSxi"}}`],
  ['has a name that only ends so', `{"file":{"a\\"base64":"${base64}"}}`],
  ['does not end', `{"file":{"base64":"${base64}`],
  ['is in what is no JSON', `${bodyOf(base64)}}`],
  ['is in a list', `[{"base64":"${base64}"}]`],
])('%s stays unchanged', (_, body) => {
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
    ['a line end that is not escaped', within('\n')],
    ['an escape that is none', within(String.raw`\x41`)],
    ['half an escape', within(String.raw`\u00`)],
  ])('that %s is not valid JSON', (_, body) => {
    expect(codeOf(bytesOf(body))).toBe('BAD_REQUEST_INVALID_JSON')
  })

  test('that is too large is refused, decoded in place or not', () => {
    expect(codeOf(bytesOf(bodyOf(base64)))).toBe('PAYLOAD_TOO_LARGE')
    expect(codeOf(bytesOf(bodyOf('YSxi'.repeat(700))))).toBe('PAYLOAD_TOO_LARGE')
    expect(codeOf(bytesOf(bodyOf('YSxi')))).toBe('none')
  })
})

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../attack/hostile.ts'
import { send } from '../helpers/api.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { runProgram, startServer } from '../helpers/program.ts'
import {
  answersOnce,
  inProcess,
  markdownOf,
  overHttp,
  overRest,
  overStdio,
  type Answer,
  type Transport,
} from '../helpers/transports.ts'
import { base64Of, filesToSend, formOf, pdfOf, uploadOf, type FileToSend } from './parse-files.ts'

const names = [
  'in process',
  'passthrough over REST',
  'REST with JSON',
  'REST with a form',
  'MCP over stdio',
  'MCP over HTTP',
] as const
/** Transports that may read a path of this machine, and those that may not. */
const near = ['in process', 'passthrough over REST', 'MCP over stdio'] as const
const far = ['REST with JSON', 'MCP over HTTP'] as const

const transports = {} as Record<(typeof names)[number] | 'the command line', Transport>
const folder = folderForAll()
const allowed = join(folder.path, 'files')
const files = await filesToSend()
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  mkdirSync(allowed)
  writeFileSync(join(folder.path, 'secret.csv'), 'secret,1\n')
  symlinkSync(join(folder.path, 'secret.csv'), join(allowed, 'link.csv'))
  for (const [{ filename, bytes }] of files) writeFileSync(join(allowed, filename), bytes)
  writeFileSync(join(allowed, 'empty.csv'), '')
  const env = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_FILE_FOLDERS: allowed }
  server = await startServer(env)
  const passing = { GOSSAMER_REMOTE_URL: server.url, GOSSAMER_FILE_FOLDERS: allowed }
  transports['in process'] = inProcess(env)
  transports['passthrough over REST'] = inProcess(passing)
  transports['REST with JSON'] = overRest(server.url)
  transports['REST with a form'] = overForm(server.url)
  transports['MCP over stdio'] = await overStdio(env)
  transports['MCP over HTTP'] = await overHttp(server.url)
  transports['the command line'] = overCommandLine(env)
})

afterAll(async () => {
  await Promise.all(Object.values(transports).map((transport) => transport.close()))
  await server.stop()
})

function overForm(url: string): Transport {
  return {
    call: async (_name, { file, ...options }) => {
      const sent = file as { filename: string; contentType: string; base64: string } | undefined
      const bytes = Buffer.from(sent?.base64 ?? '', 'base64')
      const body = sent ? formOf({ ...sent, bytes }, options) : new FormData()
      if (!sent) body.append('options', JSON.stringify(options))
      return answerOf(await (await fetch(`${url}/v2/parse`, { method: 'POST', body })).text())
    },
    close: async () => {},
  }
}

function overCommandLine(env: Record<string, string>): Transport {
  return {
    call: async (name, input) => answerOf((await runProgram(['call', name, JSON.stringify(input)], env)).stdout),
    close: async () => {},
  }
}

function answerOf(json: string): Answer {
  const { success, code, error, ...output } = JSON.parse(json) as Record<string, unknown>
  return success === false ? { code: String(code), message: String(error) } : { output }
}

const csv: FileToSend = { filename: 'a.csv', contentType: 'text/csv', bytes: Buffer.from('a,b\n1,2\n') }
const sent = (over: Partial<FileToSend>, options: object = {}) => ({ ...uploadOf({ ...csv, ...over }), ...options })
const bytesOf = (hex: string) => Buffer.from(hex, 'hex')

/** Name, input and error code. */
const failing: [string, Record<string, unknown>, string][] = [
  ['no file', { formats: ['markdown'] }, 'BAD_REQUEST'],
  ['a format that files do not have', sent({}, { formats: ['screenshot'] }), 'BAD_REQUEST'],
  [
    'a film',
    sent({ filename: 'a.mp4', contentType: 'video/mp4', bytes: bytesOf('000000206674797069736f6d00000200') }),
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
  ],
  [
    'a broken PDF',
    sent({ filename: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7 and no more') }),
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
  ],
]

/** Results of reading each file in process, with which the other transports are compared. */
const read = answersOnce()
const inProcessOnce = (name: string, input: Record<string, unknown>) =>
  read(name, () => transports['in process'].call('parse', input))

/** Returns all files for in-process calls, and a random third of the files for the other transports. */
const filesFor = (name: (typeof names)[number]) => (name === 'in process' ? files : drawn(files, 3))

describe.each(names)('%s', (name) => {
  it.each(filesFor(name))('reads $filename as in process', async (file, says) => {
    const expected = await inProcessOnce(file.filename, uploadOf(file))
    const actual = name === 'in process' ? expected : await transports[name].call('parse', uploadOf(file))
    expect(actual.code).toBeUndefined()
    expect(markdownOf(actual)).toContain(says)
    expect(markdownOf(actual)).toBe(markdownOf(expected))
  })

  it.each(failing)('refuses %s with the same code', async (_, input, code) => {
    expect(await transports[name].call('parse', input)).toMatchObject({ code })
  })

  it('accepts the options with the file', async () => {
    const options = { parsers: [{ type: 'pdf', maxPages: 1 }], timeout: 20_000 }
    const file = { filename: 'a.pdf', contentType: 'application/pdf', bytes: await pdfOf(2) }
    const markdown = markdownOf(await transports[name].call('parse', { ...uploadOf(file), ...options }))
    expect(markdown).toContain('Chapter 1')
    expect(markdown).not.toContain('Chapter 2')
  })
})

it.each<[string, Record<string, unknown>, string]>([
  ['no bytes', sent({ bytes: Buffer.alloc(0) }), 'The file is empty.'],
  ['a format that files do not have', sent({}, { formats: ['screenshot'] }), 'A file has no screenshot.'],
  ['invalid base64', { file: { filename: 'a.csv', base64: 'rope!' } }, 'Expected the content of the file in base64.'],
  ['no name', { file: { base64: 'YQ==' } }, 'filename'],
])('a file is refused with a clear error: %s', async (_, input, expected) => {
  const response = await send(`${server.url}/v2/parse`, { body: input })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(expected)
})

it.each(['MCP over stdio', 'MCP over HTTP', 'the command line'] as const)(
  'accepts base64 as a flat argument over %s',
  async (name) => {
    const answer = await transports[name].call('parse', { filename: 'a.csv', base64: base64Of(csv) })
    expect(markdownOf(answer)).toContain('| 1 | 2 |')
  },
)

it('the bytes of a file are never returned, however long its text is', async () => {
  const base64 = Buffer.from('words and words '.repeat(9000)).toString('base64')
  for (const options of [{}, { zeroDataRetention: true }]) {
    const { text = '' } = await transports['MCP over stdio'].call('parse', { filename: 'long.txt', base64, ...options })
    expect(text).toContain('To read on, call')
    expect(text.length).toBeLessThan(22_000)
    expect(text.length).toBeGreaterThan(15_000)
  }
})

describe('a path to a file', () => {
  it.each(near)('is read from an allowed folder over %s', async (name) => {
    for (const filename of ['report.pdf', 'größe.json']) {
      const path = join(allowed, filename)
      const expected = await inProcessOnce(path, { path })
      const actual = name === 'in process' ? expected : await transports[name].call('parse', { path })
      expect(actual.code).toBeUndefined()
      expect(markdownOf(actual)).toBe(markdownOf(expected))
    }
  })

  it.each(near)('is refused outside of the allowed folders over %s', async (name) => {
    const outside = [join(allowed, 'link.csv'), `${allowed}/../secret.csv`, '/proc/self/environ', '/dev/zero', allowed]
    for (const path of outside)
      expect(await transports[name].call('parse', { path }), path).toMatchObject({ code: 'FILE_NOT_ALLOWED' })
  })

  it.each(near)('that does not exist is reported over %s', async (name) => {
    expect(await transports[name].call('parse', { path: join(allowed, 'none.csv') })).toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
    expect(await transports[name].call('parse', { path: join(allowed, 'empty.csv') })).toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  it.each(far)('is refused over %s', async (name) => {
    for (const path of [join(allowed, 'prices.csv'), '/etc/passwd', '/nothing'])
      expect(await transports[name].call('parse', { path }), path).toMatchObject({ code: 'FILE_NOT_ALLOWED' })
  })
})

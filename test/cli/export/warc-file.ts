import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { constants, gunzipSync, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { WARCParser, type WARCRecord } from 'warcio'
import { createWarcWriter } from '../../../src/cli/export/warc.ts'
import type { Exchange } from '../../../src/contracts/fetch.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
export const options = { software: 'gossamer 1.2.3', now: () => at }

type Parts = { url?: string; body?: string | Uint8Array; headers?: Record<string, string>; status?: number }
export const exchange = ({
  url = 'http://a.test/',
  body = 'hello',
  headers = {},
  status = 200,
}: Parts = {}): Exchange => ({
  at,
  request: { url, method: 'GET', headers: { accept: 'text/html' } },
  response: { url, status, headers, body: typeof body === 'string' ? Buffer.from(body) : body },
})

async function written(path: string, exchanges: readonly Exchange[], more = {}): Promise<void> {
  const writer = await createWarcWriter(path, { ...options, ...more })
  for (const each of exchanges) await writer.write(each)
  await writer.close()
}

type Read = {
  type: string | null
  target: string | null | undefined
  header(name: string): string | undefined
  record: WARCRecord
  content: Buffer
}

/** Records as the library of another project reads them. */
async function read(path: string): Promise<Read[]> {
  const records: Read[] = []
  for await (const record of new WARCParser(createReadStream(path))) {
    const content = Buffer.from(await record.readFully(true))
    const header = (name: string) => record.warcHeaders.headers.get(name) ?? undefined
    records.push({ type: record.warcType, target: record.warcTargetURI, header, record, content })
  }
  return records
}
export const ofType = (records: readonly Read[], type: string) => records.filter((record) => record.type === type)

/** Records by the format's own rules: one gzip member each, with header and block. */
function walked(path: string): { head: string; fields: Record<string, string>; block: Buffer }[] {
  const bytes = readFileSync(path)
  const records = []
  for (let start = 0; start < bytes.length;) {
    expect(bytes.subarray(start, start + 4)).toEqual(Buffer.from([0x1f, 0x8b, 8, 0]))
    const raw = bytes.subarray(start + 10)
    const { engine } = inflateRawSync(raw, { info: true } as object) as unknown as { engine: { bytesWritten: number } }
    const end = start + 10 + engine.bytesWritten + 8
    const record = gunzipSync(bytes.subarray(start, end))
    const split = record.indexOf('\r\n\r\n')
    const [head = '', ...lines] = record.subarray(0, split).toString().split('\r\n')
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const block = record.subarray(split + 4, split + 4 + Number(fields['Content-Length']))
    expect(record.subarray(split + 4 + block.length).toString()).toBe('\r\n\r\n')
    records.push({ head, fields, block })
    start = end
  }
  return records
}

/** SHA-1 in base 32, worked out bit by bit. */
export function sha1(bytes: Uint8Array): string {
  const bits = [...createHash('sha1').update(bytes).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `sha1:${bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]!)}`
}

function starts(path: string): number[] {
  const bytes = readFileSync(path)
  const found = []
  for (let start = 0; start < bytes.length;) {
    found.push(start)
    const partial = { info: true, finishFlush: constants.Z_SYNC_FLUSH } as object
    const { engine } = inflateRawSync(bytes.subarray(start + 10), partial) as unknown as {
      engine: { bytesWritten: number }
    }
    start += 10 + engine.bytesWritten + 8
  }
  return found
}

/** A WARC file under test. */
export const warcAt = (path: string) => ({
  path,
  written: (exchanges: readonly Exchange[], more = {}) => written(path, exchanges, more),
  read: () => read(path),
  walked: () => walked(path),
  starts: () => starts(path),
})

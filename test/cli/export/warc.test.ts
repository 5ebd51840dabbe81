import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWarcWriter } from '../../../src/cli/export/warc.ts'
import { folderForEach, forEach } from '../../helpers/for-all.ts'
import { exchange, ofType, options, sha1, warcAt } from './warc-file.ts'

const dir = folderForEach()
const file = forEach(() => warcAt(join(dir.path, 'site.warc.gz')))

describe('a WARC file', () => {
  test('starts with its writer, and has a response, a request and metadata for each exchange', async () => {
    await file.written([{ ...exchange(), metadata: { via: 'browser' } }])
    const records = file.walked()
    expect(records.map(({ head, fields }) => [head, fields['WARC-Type'], fields['Content-Type']])).toEqual([
      ['WARC/1.1', 'warcinfo', 'application/warc-fields'],
      ['WARC/1.1', 'response', 'application/http;msgtype=response'],
      ['WARC/1.1', 'request', 'application/http;msgtype=request'],
      ['WARC/1.1', 'metadata', 'application/warc-fields'],
    ])
    const [info, response, request, notes] = records.map(({ fields, block }) => ({ ...fields, block }))
    expect(info).toMatchObject({ 'WARC-Filename': 'site.warc.gz' })
    expect(info!.block.toString()).toContain('software: gossamer 1.2.3\r\n')
    expect(response).toMatchObject({ 'WARC-Target-URI': 'http://a.test/', 'WARC-Date': '2026-01-02T03:04:05.006Z' })
    for (const beside of [request, notes])
      expect(beside).toMatchObject({
        'WARC-Target-URI': 'http://a.test/',
        'WARC-Concurrent-To': (response as Record<string, unknown>)['WARC-Record-ID'],
        'WARC-Warcinfo-ID': (info as Record<string, unknown>)['WARC-Record-ID'],
      })
    expect(request!.block.toString()).toBe('GET / HTTP/1.1\r\nhost: a.test\r\naccept: text/html\r\n\r\n')
    expect(notes!.block.toString()).toBe('via: browser\r\n')
    const ids = records.map(({ fields }) => fields['WARC-Record-ID'])
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^<urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}>$/)
  })

  test('has digests of each block and of each body', async () => {
    await file.written([exchange({ body: 'grüße' })])
    const records = file.walked()
    for (const { fields, block } of records) expect(fields['WARC-Block-Digest']).toBe(sha1(block))
    expect(records[1]!.fields['WARC-Payload-Digest']).toBe(sha1(Buffer.from('grüße')))
  })

  test('contains a thousand exchanges that another library reads', async () => {
    const pages = Array.from({ length: 1000 }, (_, page) => `http://a.test/${page}`)
    const writer = await createWarcWriter(file.path, options)
    await Promise.all(pages.map((url) => writer.write(exchange({ url, body: `page of ${url}` }))))
    await writer.close()
    const records = await file.read()
    expect(records.length).toBe(2001)
    const responses = ofType(records, 'response')
    expect(responses.map(({ target }) => target).toSorted()).toEqual(pages.toSorted())
    for (const { content, target } of responses) expect(content.toString()).toBe(`page of ${target}`)
    expect(writer.bytes()).toBe(statSync(file.path).size)
    expect(file.walked().length).toBe(2001)
  })

  test('renames the content-coding header, because bodies are stored decoded', async () => {
    const headers = { 'content-encoding': 'br', 'Transfer-Encoding': 'chunked', 'content-length': '3', etag: '"1"' }
    await file.written([exchange({ headers, body: 'decoded' })])
    const [, response] = await file.read()
    expect(Object.fromEntries(response!.record.httpHeaders!.headers)).toEqual({
      'x-archive-orig-content-encoding': 'br',
      'x-archive-orig-transfer-encoding': 'chunked',
      'x-archive-orig-content-length': '3',
      etag: '"1"',
      'content-length': '7',
    })
    expect(response!.content.toString()).toBe('decoded')
  })

  test('keeps header bytes verbatim, and lets none of them start a new line', async () => {
    const latin = Buffer.from([0xe9, 0x80]).toString('latin1')
    await file.written([
      exchange({ headers: { 'x-latin': latin, 'x-wide': '漢', 'x-break': 'a\r\nset-cookie: b\0c', 'x y:': 'z' } }),
    ])
    const { block } = file.walked()[1]!
    expect(block.includes(Buffer.from([...Buffer.from('x-latin: '), 0xe9, 0x80, 13, 10]))).toBe(true)
    expect(block.includes(Buffer.from('x-wide: 漢\r\n'))).toBe(true)
    expect(block.includes('x-break: a set-cookie: b c\r\n')).toBe(true)
    expect(block.includes('x-y-: z\r\n')).toBe(true)
  })
})

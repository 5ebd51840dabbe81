import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createWarcWriter } from '../../../src/cli/export/warc.ts'
import { folderForEach, forEach } from '../../helpers/for-all.ts'
import { exchange, ofType, options, sha1, warcAt } from './warc-file.ts'

const dir = folderForEach()
const file = forEach(() => warcAt(join(dir.path, 'site.warc.gz')))

describe('an existing WARC file', () => {
  test('is appended to', async () => {
    await file.written([exchange({ url: 'http://a.test/1' })])
    await file.written([exchange({ url: 'http://a.test/2' })])
    const records = await file.read()
    const types = ['warcinfo', 'response', 'request']
    expect(records.map(({ type }) => type)).toEqual([...types, ...types])
  })

  test.each([1, 2, 9, 15, 40, 100_000])(
    'loses only its last record if that was truncated after %i bytes',
    async (kept) => {
      await file.written([exchange({ url: 'http://a.test/1' })])
      const whole = statSync(file.path).size
      // Incompressible, so that the record is longer than any cut.
      const noise = Buffer.from(Array.from({ length: 10_000 }, (_, index) => sha1(Buffer.from(String(index)))).join(''))
      await file.written([exchange({ url: 'http://a.test/2', body: noise })], { wholeUpTo: whole })
      const torn = file.walked().length
      const starts = file.starts()
      truncateSync(file.path, starts[torn - 2]! + kept)
      await file.written([exchange({ url: 'http://a.test/3' })])
      const targets = ofType(await file.read(), 'response').map(({ target }) => target)
      expect(targets).toEqual(['http://a.test/1', 'http://a.test/3'])
    },
  )

  test('is read from its last known complete record', async () => {
    await file.written([exchange()])
    const whole = statSync(file.path).size
    appendFileSync(file.path, gzipSync('WARC/1.1\r\ncut').subarray(0, 12))
    await file.written([], { wholeUpTo: whole })
    expect((await file.read()).length).toBe(4)
  })

  test.each([
    ['text', Buffer.from('my only copy')],
    ['compressed text', gzipSync('my only copy')],
    ['compressed text that is cut', gzipSync('my only copy'.repeat(99)).subarray(0, 40)],
    ['a WARC file that is not compressed', Buffer.from('WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\n\r\n\r\n')],
  ])('of another format stays unchanged: %s', async (_, bytes) => {
    writeFileSync(file.path, bytes)
    await expect(createWarcWriter(file.path, options)).rejects.toThrow('not a compressed WARC file')
    expect(readFileSync(file.path)).toEqual(bytes)
  })

  test('that is damaged before its end is left unchanged', async () => {
    await file.written([exchange(), exchange(), exchange()])
    const bytes = readFileSync(file.path)
    const second = file.starts()[1]!
    bytes.fill(0xff, second + 20, second + 40)
    writeFileSync(file.path, bytes)
    await expect(createWarcWriter(file.path, options)).rejects.toThrow('damaged')
    expect(readFileSync(file.path)).toEqual(bytes)
  })
})

import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createYtDlp, type YtDlpOptions } from '../../src/engine/media/yt-dlp.ts'
import { failureOf } from '../helpers/fakes.ts'
import { folderForAll } from '../helpers/for-all.ts'

const never = new AbortController().signal
const teamId = 'red'
const url = 'https://ex.com/watch?v=1'
const dir = folderForAll()

/** A program with the name of the real one that runs `body`, and a file that records its call. */
function fake(body: string, options: Partial<YtDlpOptions> = {}) {
  const folder = mkdtempSync(join(dir.path, 'p'))
  const path = join(folder, 'yt-dlp')
  const note = join(folder, 'note.json')
  const noting = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(note)}, JSON.stringify({ args: process.argv.slice(2), env: process.env, pid: process.pid }))`
  writeFileSync(path, `#!${process.execPath}\n${noting}\n${body}\n`)
  chmodSync(path, 0o755)
  const search = createYtDlp({
    program: 'yt-dlp',
    proxy: async () => 'http://127.0.0.1:9',
    environment: { PATH: `${folder}:${dirname(process.execPath)}`, SECRET: 'x', HTTPS_PROXY: 'http://127.0.0.1:8' },
    ...options,
  })
  return {
    search,
    note,
    called: () =>
      JSON.parse(readFileSync(note, 'utf8')) as { args: string[]; env: Record<string, string>; pid: number },
  }
}

const says = (output: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(output))})`
const formats = [
  { url: 'https://cdn.ex.com/low.m4a', ext: 'm4a', vcodec: 'none', acodec: 'mp4a', abr: 48, protocol: 'https' },
  { url: 'https://cdn.ex.com/high.m4a', ext: 'm4a', vcodec: 'none', acodec: 'mp4a', abr: 128, protocol: 'https' },
  { url: 'https://cdn.ex.com/mute.mp4', ext: 'mp4', vcodec: 'avc1', acodec: 'none', height: 2160, protocol: 'https' },
  { url: 'https://cdn.ex.com/360.mp4', ext: 'mp4', vcodec: 'avc1', acodec: 'mp4a', height: 360, protocol: 'https' },
  { url: 'https://cdn.ex.com/720.mp4', ext: 'mp4', vcodec: 'avc1', acodec: 'mp4a', height: 720, protocol: 'https' },
  {
    url: 'https://cdn.ex.com/hls.m3u8',
    ext: 'mp4',
    vcodec: 'avc1',
    acodec: 'mp4a',
    height: 1080,
    protocol: 'm3u8_native',
  },
  { url: 'https://cdn.ex.com/locked.mp4', ext: 'mp4', vcodec: 'avc1', acodec: 'mp4a', height: 4320, has_drm: true },
  { url: 'https://cdn.ex.com/board', ext: 'mhtml', vcodec: 'none', acodec: 'none', protocol: 'mhtml' },
]
const best = { audio: 'https://cdn.ex.com/high.m4a', video: 'https://cdn.ex.com/720.mp4' }

describe('yt-dlp', () => {
  test('returns the best file of each kind', async () => {
    const { search } = fake(says({ formats }))
    expect(await search({ teamId, url, limitMs: 20_000, signal: never })).toEqual(best)
  })

  test.each<[name: string, output: object, wanted: object]>([
    ['the first entry of a playlist', { entries: [{ formats }] }, best],
    [
      'a stream where there is no file',
      { formats: [formats[5], formats[2]] },
      { video: 'https://cdn.ex.com/hls.m3u8' },
    ],
    [
      'a film without sound where there is no other',
      { formats: [formats[2]] },
      { video: 'https://cdn.ex.com/mute.mp4' },
    ],
    ['a file without details', { url: 'https://cdn.ex.com/a.mp3', ext: 'mp3' }, { audio: 'https://cdn.ex.com/a.mp3' }],
    ['a film without details', { url: 'https://cdn.ex.com/a.mp4', ext: 'mp4' }, { video: 'https://cdn.ex.com/a.mp4' }],
    [
      'no other scheme',
      { formats: [{ url: 'file:///etc/passwd' }, { url: 'rtmp://ex.com/a' }] },
      { error: 'found none' },
    ],
    ['nothing of fragments', { formats: [{ ...formats[4], protocol: 'http_dash_segments' }] }, { error: 'found none' }],
    ['nothing of odd fields', { formats: [null, 7, { url: 5 }], entries: 'x', url: {} }, { error: 'found none' }],
  ])('returns %s', async (_, output, wanted) => {
    expect(await fake(says(output)).search({ teamId, url, limitMs: 20_000, signal: never })).toEqual(wanted)
  })

  test('runs without a shell, through our proxy, without settings of the machine', async () => {
    const { search, called } = fake(says({ formats }))
    const odd = 'https://ex.com/$(touch x)?a=1&b="; --exec'
    await search({ teamId, url: odd, limitMs: 20_000, signal: never })
    const { args, env } = called()
    expect(args.slice(-2)).toEqual(['--', odd])
    expect(args).toEqual(expect.arrayContaining(['-J', '--no-playlist', '--ignore-config', '--no-cache-dir']))
    expect(args[args.indexOf('--proxy') + 1]).toBe('http://127.0.0.1:9')
    expect(
      Object.keys(env).filter((name) => !/^(?:PATH|LANG|TMPDIR|TEMP|TMP|PYTHONIOENCODING|__CF.*)$/.test(name)),
    ).toEqual([])
  })

  test.each<[name: string, body: string]>([
    ['garbage', 'process.stdout.write("<html>")'],
    ['nothing', ''],
    ['null', 'process.stdout.write("null")'],
    ['half of an answer', 'process.stdout.write(\'{"formats":[\')'],
    ['an exit code', `${says({ formats })}; process.exitCode = 1`],
    ['a crash', 'process.abort()'],
    ['errors without end on stderr', 'process.stderr.write("x".repeat(1e7)); process.exitCode = 2'],
  ])('that answers with %s has found nothing', async (_, body) => {
    expect(await fake(body).search({ teamId, url, limitMs: 20_000, signal: never })).toEqual({ error: 'found none' })
  })

  test('that writes endlessly is stopped', async () => {
    const { search, called } = fake('setInterval(() => process.stdout.write("x".repeat(65536)), 0)', {
      maxOutputBytes: 1_000_000,
    })
    expect(await search({ teamId, url, limitMs: 20_000, signal: never })).toEqual({ error: 'found none' })
    expect(isRunning(called().pid)).toBe(false)
  })

  test('has its own error if it is missing', async () => {
    const search = createYtDlp({ program: 'yt-dlp', proxy: async () => '', environment: { PATH: dir.path } })
    expect(await search({ teamId, url, limitMs: 20_000, signal: never })).toEqual({ error: 'not installed' })
    const named = createYtDlp({ program: join(dir.path, 'gone'), proxy: async () => '', environment: {} })
    expect(await named({ teamId, url, limitMs: 20_000, signal: never })).toEqual({ error: 'not installed' })
  })
})

describe('yt-dlp that hangs', () => {
  // A child process keeps the output open, like the programs that yt-dlp runs.
  const hang = `process.getBuiltinModule('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); setInterval(() => {}, 1000)`

  test('ends with its timeout', async () => {
    const { search } = fake(hang)
    expect(await search({ teamId, url, limitMs: 1000, signal: never })).toEqual({ error: 'too slow' })
  })

  test('ends with the reason of the signal', async () => {
    const { search, note, called } = fake(hang)
    const stop = new AbortController()
    const failing = failureOf(search({ teamId, url, limitMs: 60_000, signal: stop.signal }))
    // The file exists a moment before its content is complete.
    while (!existsSync(note) || !readFileSync(note, 'utf8').endsWith('}')) await setTimeout(20)
    stop.abort(new Error('enough'))
    expect(await failing).toMatchObject({ message: 'enough' })
    expect(isRunning(called().pid)).toBe(false)
  })

  test('is not started after an abort or without time left', async () => {
    const { search, note } = fake(hang)
    expect(
      await failureOf(search({ teamId, url, limitMs: 60_000, signal: AbortSignal.abort(new Error('enough')) })),
    ).toMatchObject({ message: 'enough' })
    expect(existsSync(note)).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

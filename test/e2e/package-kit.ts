import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { cleanEnv } from '../helpers/program.ts'

const run = promisify(execFile)

/** Returns the faults that tools for package authors find in a tarball, one line each. */
export async function faultsOf(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(readFileSync(tarball))
  const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  return messages.map(({ code }) => code)
}

/** Returns the size of all files in a folder in bytes. */
export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Paths of the Node versions to test with: this one, and those in GOSSAMER_TEST_NODES, separated by commas. */
export const nodes = [process.execPath, ...(process.env['GOSSAMER_TEST_NODES']?.split(',').filter(Boolean) ?? [])]

const javascript = (url: string) => `
import { createGossamer, GossamerError } from 'gossamer-mcp'
const gossamer = createGossamer({ dataDir: 'memory', allowHosts: ['127.0.0.1'] })
const { data } = await gossamer.scrape({ url: '${url}' })
const pages = await Array.fromAsync(gossamer.crawlPages({ url: '${url}', limit: 1 }))
const error = await gossamer.scrape({ url: '' }).catch((thrown) => thrown)
const { code, hint } = error
console.log(JSON.stringify({ text: data.markdown, pages: pages.length, code, hint, known: error instanceof GossamerError }))`

/** Runs a program that uses the package installed in `home`, and returns its JSON output. */
export async function runConsumer(home: string, url: string, node: string): Promise<unknown> {
  const path = join(home, 'consumer.mjs')
  writeFileSync(path, javascript(url))
  const { stdout } = await run(node, [path], { cwd: home, env: cleanEnv() })
  return JSON.parse(stdout)
}

const typescript = `
import { createGossamer, GossamerError, type Document, type ScrapeInput } from 'gossamer-mcp'
await using gossamer = createGossamer({ dataDir: 'memory', maxConcurrency: 2, log: (line) => void line })
const input: ScrapeInput = { url: 'https://example.com', formats: ['markdown', { type: 'json', prompt: 'name' }] }
try {
  const { data } = await gossamer.scrape(input, { signal: AbortSignal.timeout(1000) })
  const text: string | undefined = data.markdown
} catch (thrown) {
  if (thrown instanceof GossamerError && thrown.code === 'BAD_REQUEST') thrown.hint?.length
}
for await (const page of gossamer.crawlPages({ url: 'https://example.com', limit: 3 })) page satisfies Document
const end = await gossamer.crawlEach({ url: 'https://example.com' }, (page, { signal }) => signal.aborted || page.links)
if (end.status === 'completed') end.completed.toFixed()
await gossamer.activity()
// @ts-expect-error There is no such option.
await gossamer.scrape({ url: 'https://example.com', nope: 1 })
// @ts-expect-error The url is missing.
await gossamer.scrape({})
// @ts-expect-error There is no such setting.
createGossamer({ nope: 1 })`

/** Returns a strict compiler's errors for a program that uses the package installed in `home`. */
export async function compileConsumer(home: string, resolution: readonly string[]): Promise<string> {
  const path = join(home, 'consumer.mts')
  writeFileSync(path, typescript)
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  const target = ['--target', 'es2024', '--lib', 'es2024,dom,esnext.disposable', '--types', '']
  const args = [tsc, '--noEmit', ...strict, ...target, ...resolution, path]
  return run(process.execPath, args, { cwd: home, env: cleanEnv() }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

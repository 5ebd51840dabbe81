/** Wording that a reader has to read twice, in comments, test names and documents. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A banned start or word. `room` is a folder of src or test, or `docs`. */
export type Wording = { room: string; place: string; text: string }

/** A comment or a name starts with a noun or a verb. */
const headless = /^(?:What|Whether|How|Of|For(?! example)|Those|Who(?:ever)?)\b/
/** A computer reports, notifies, detects and skips. */
const quaint = /\b(?:told|hears?|anew|whoever|spared|wished|begun)\b/i
const testName = /(?<=^\s*(?:test|describe|it)\b[^'"`\n]*\()(['"`])(.*?)\1/gm

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Finds banned wording below `root`. Text is judged line by line, documents without their code. */
export function findWording(root: string): Wording[] {
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .sort()
      .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
  const found: Wording[] = []
  const judge = (path: string, line: number, text: string) => {
    const room = path.endsWith('.md') ? 'docs' : path.replace(/^((?:src\/engine|src|test|scripts)\/[^/]+).*/, '$1')
    const isBanned = quaint.test(text.replaceAll(/`[^`]*`/g, '')) || (room !== 'docs' && headless.test(text))
    if (isBanned) found.push({ room, place: `${path}:${line}`, text })
  }
  for (const { path, text } of read('{src,test,scripts}/**/*.ts')) {
    for (const { start, value } of parseSync(path, text).comments) {
      const lines = value.split('\n').map((line) => line.replace(/^\s*\**\s?/, ''))
      lines.forEach((line, index) => judge(path, lineAt(text, start) + index, line))
    }
  }
  for (const { path, text } of read('test/**/*.test.ts'))
    for (const { index, 2: name } of text.matchAll(testName))
      judge(path, lineAt(text, index), `${name![0]?.toUpperCase()}${name!.slice(1)}`)
  for (const { path, text } of [...read('*.md'), ...read('docs/*.md')])
    text
      .replaceAll(/^( *)```[^]*?^\1```|<!--[^]*?-->/gm, (code) => code.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .forEach((line, index) => judge(path, index + 1, line))
  return found
}

import { spawn } from 'node:child_process'
import { element, escapeHtml } from '../markup/inline-markup.ts'
import { joinLineEnds } from '../pdf/text/pdf-inline.ts'

/** Data files for page orientation and formulas, which are not languages. */
const auxiliary = new Set(['osd', 'equ'])

/** Returns the installed languages, joined as tesseract expects them; empty without tesseract or its data. */
async function installedLanguages(): Promise<string> {
  const output = await runProgram('tesseract', ['--list-langs'], new Uint8Array())
  const [, ...names] = (output?.toString('utf8') ?? '').split(/\r?\n/)
  return names.filter((name) => name !== '' && !auxiliary.has(name)).join('+')
}

export const hasTesseract = async (): Promise<boolean> => (await installedLanguages()) !== ''

/**
 * Recognises paragraphs in a picture, as HTML, in all installed languages. Returns an empty list for a picture without
 * words, undefined if tesseract cannot read it.
 */
export async function recogniseText(picture: Uint8Array): Promise<string[] | undefined> {
  const output = await runProgram('tesseract', ['stdin', 'stdout', '-l', await installedLanguages(), 'tsv'], picture)
  return output && paragraphsOf(output.toString('utf8'))
}

/** Minimum confidence in percent; below it a word is noise rather than a misread word. */
const minCertainty = 20

/**
 * Columns of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 */
export function paragraphsOf(table: string): string[] {
  const paragraphs = new Map<string, Map<string, string[]>>()
  for (const row of table.split('\n').slice(1)) {
    const [level, , block, paragraph, line, , , , , , certainty, ...text] = row.split('\t')
    const word = text.join(' ').trim()
    if (level !== '5' || word === '' || Number(certainty) < minCertainty || line === undefined) continue
    const key = `${block} ${paragraph}`
    const lines = paragraphs.get(key) ?? new Map<string, string[]>()
    lines.set(line, [...(lines.get(line) ?? []), word])
    paragraphs.set(key, lines)
  }
  return [...paragraphs.values()].map((lines) => {
    const text = [...lines.values()].map((words) => words.join(' ')).reduce(joined, '')
    return element('p', escapeHtml(text))
  })
}

function joined(text: string, line: string): string {
  if (text === '') return line
  const { keptEnd, separator } = joinLineEnds(text, line)
  return keptEnd + separator + line
}

const maxOutputBytes = 100_000_000
const maxTimeMs = 120_000

/**
 * Runs a local program with bytes on its stdin and returns its output; undefined if the program is missing or fails.
 * Uses no shell and no files; the program is limited by its stdin, output size and time.
 */
export function runProgram(command: string, args: readonly string[], input: Uint8Array): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let bytes = 0
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxTimeMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  child.once('error', () => resolve(undefined))
  child.once('close', (code) => resolve(code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks) : undefined))
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > maxOutputBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  // A program may exit before it has read everything; its exit code shows whether that was a failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { operations } from '../../src/operations/index.ts'
import { apiText } from './api-text.ts'

const root = dirname(dirname(import.meta.dirname))
/** Wherever the packages of this checkout are; the tests, which import this, have no `import.meta.resolve`. */
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
/** What is inside of the library and has no types of its own for others. */
const inner = new Set(['job-pages.ts'])

/**
 * Writes the declarations of the library into `outdir`: those that the compiler makes of its files, but for the one of the
 * operations and settings, which is made from their schemas. They name nothing outside of `outdir`.
 */
export async function writeDeclarations(outdir: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'gossamer-declarations-'))
  try {
    emit(emitted)
    const library = join(emitted, 'library')
    writeFileSync(join(library, 'api.d.ts'), await apiText(operations))
    for (const name of readdirSync(library)) {
      const path = join(library, name)
      writeFileSync(path, readFileSync(path, 'utf8').replace(ownFiles, '$1.js'))
    }
    rmSync(outdir, { recursive: true, force: true })
    cpSync(emitted, outdir, { recursive: true })
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** Consumers know the files by what they run as. */
const ownFiles = /(?<=\bfrom ')(\.[^']+)\.ts(?=')/g

/** File by file: types have been checked by `npm run types`, and whatever needed another file here would name it there. */
function emit(outDir: string): void {
  const folder = join(root, 'src/library')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !inner.has(name))
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      isolatedDeclarations: true,
      noCheck: true,
      noResolve: true,
      types: [],
      rootDir: join(root, 'src'),
      outDir,
    },
    files: [...files.map((name) => join(folder, name)), join(root, 'src/version.ts')],
    include: [],
  }
  const config = join(outDir, 'tsconfig.json')
  writeFileSync(config, JSON.stringify(project))
  execFileSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' })
  rmSync(config)
}

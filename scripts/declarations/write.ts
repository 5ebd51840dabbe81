import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { operations } from '../../src/operations/index.ts'
import { apiText } from './api-text.ts'

const root = dirname(dirname(import.meta.dirname))
/** Resolved from this checkout's packages; under test, `import.meta.resolve` is not available. */
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
/** Internal files without public types. */
const inner = new Set(['job-pages.ts'])

/**
 * Writes the declarations of the library into `outdir`: those emitted by the compiler, except for operations and
 * settings, whose types are derived from their schemas. They refer to no files outside `outdir`.
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

/** Consumers import the JavaScript files. */
const ownFiles = /(?<=\bfrom ')(\.[^']+)\.ts(?=')/g

/** Emits files separately: `npm run types` has checked the types, and types from other files are imported by name. */
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

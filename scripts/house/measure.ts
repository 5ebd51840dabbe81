/** Counts in the source: sizes of files and functions, casts, and dependencies. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

type Node = { type: string; start: number; end: number }
export type NamedFunction = { file: string; name: string; lines: number }
export type SourceFile = {
  path: string
  lines: number
  /** Paths of imported source files. */
  imports: readonly string[]
  functions: readonly NamedFunction[]
  /** Exported values, without types. */
  valueExports: readonly string[]
  /** Names imported from other source files, as `path#name`. */
  uses: readonly string[]
  casts: number
  anys: number
}

const languages = '{ts,py,sh,css,html}'

/** All files below `folder`, in all languages; only TypeScript is parsed. Paths are relative to `root`. */
export function measure(root: string, folder = 'src'): SourceFile[] {
  return globSync(`${folder}/**/*.${languages}`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => fileOf(path, readFileSync(join(root, path), 'utf8')))
}

function fileOf(path: string, text: string): SourceFile {
  const lines = text.split('\n').length - 1
  const empty = { imports: [], functions: [], valueExports: [], uses: [], casts: 0, anys: 0 }
  return extname(path) === '.ts' ? { path, lines, ...moduleOf(path, text) } : { path, lines, ...empty }
}

function moduleOf(path: string, text: string): Omit<SourceFile, 'path' | 'lines'> {
  const { program, module } = parseSync(path, text)
  const functions: NamedFunction[] = []
  const linesIn = ({ start, end }: Node) => text.slice(start, end).split('\n').length
  const add = (name: string, node: Node) => functions.push({ file: path, name, lines: linesIn(node) })
  let casts = 0
  let anys = 0
  const addValue = (key: { type: string; name?: unknown }, value: Node | null) => {
    const isFunction = value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression'
    if (value && isFunction && typeof key.name === 'string') add(key.name, value)
  }
  new Visitor({
    FunctionDeclaration: (node) => void (node.id && add(node.id.name, node)),
    VariableDeclarator: (node) => addValue(node.id as never, node.init),
    Property: (node) => addValue(node.key as never, node.value),
    MethodDefinition: (node) => addValue(node.key as never, node.value),
    TSAsExpression: (node) => {
      if (text.slice(node.typeAnnotation.start, node.typeAnnotation.end) !== 'const') casts += 1
    },
    TSAnyKeyword: () => void (anys += 1),
  }).visit(program)
  const target = (specifier: string) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/')
  const fixed = module.staticImports.filter(({ moduleRequest }) => moduleRequest.value.startsWith('.'))
  const loaded = [...text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)(?:\)\.(\w+))?/g)]
  return {
    functions,
    casts,
    anys,
    valueExports: module.staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ isType, exportName }) => !isType && exportName.name !== null)
      .map(({ exportName }) => exportName.name ?? ''),
    imports: [
      ...new Set(
        [...fixed.map(({ moduleRequest }) => moduleRequest.value), ...loaded.map(([, from]) => from!)].map(target),
      ),
    ],
    uses: [
      ...fixed.flatMap(({ moduleRequest, entries }) =>
        entries.map(({ importName }) => `${target(moduleRequest.value)}#${importName.name ?? 'default'}`),
      ),
      ...loaded.map(([, from, name]) => `${target(from!)}#${name ?? '*'}`),
    ],
  }
}

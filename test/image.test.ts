import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyOf, execForm, pairsOf, stagesOf } from '../scripts/image/dockerfile.ts'

const root = join(import.meta.dirname, '..')
const stages = stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))
const last = stages.at(-1)!
const stepsOf = (instruction: string) => last.steps.filter((step) => step.instruction === instruction)

test('the image runs as an ordinary user, and installs everything before it switches to that user', () => {
  expect(stepsOf('USER').map(({ text }) => text)).toEqual(['node'])
  const after = last.steps.slice(last.steps.findIndex(({ instruction }) => instruction === 'USER'))
  expect(after.filter(({ instruction }) => instruction === 'RUN' || instruction === 'COPY')).toEqual([])
})

test('the image contains the files of the package, and names the entry of the registry', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  const copied = stepsOf('COPY').flatMap(({ text }) => copyOf(text).sources.map((source) => source.split('/').at(-1)))
  const unneeded = ['icon.png', 'manifest.json', 'server.json', ...files.filter((file) => file.startsWith('!'))]
  expect(copied).toEqual(expect.arrayContaining(files.filter((file) => !unneeded.includes(file))))
  const { name } = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8')) as { name: string }
  expect(pairsOf(stepsOf('LABEL')[0]!.text)).toEqual({ 'io.modelcontextprotocol.server.name': name })
})

test('the image starts bin/gossamer.cjs, and its health check is valid JavaScript', () => {
  expect(execForm(stepsOf('ENTRYPOINT')[0]!.text)).toEqual(['node', '/gossamer/bin/gossamer.cjs'])
  const check = execForm(stepsOf('HEALTHCHECK')[0]!.text) ?? []
  expect(check.slice(0, 2)).toEqual(['node', '-e'])
  expect(() => new Function(check[2] ?? '(')).not.toThrow()
})

test.each([
  ['ADD https://example.com/a /a', /not implemented here/],
  ['ARG VERSION=1', /not implemented here/],
])('an instruction that the check cannot carry out is refused: %s', (line, message) => {
  expect(() => stagesOf(`FROM node:24-bookworm-slim\n${line}\n`)).toThrow(message)
})

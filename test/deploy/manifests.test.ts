import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { envNameOf, readConfig, settingKeys } from '../../src/app/read-config.ts'

const folder = join(import.meta.dirname, '../../deploy')
type Manifest = { kind: string; metadata: { name: string }; [part: string]: unknown }

const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const manifests = globSync('kubernetes/*.yaml', { cwd: folder }).flatMap((path) =>
  parseAllDocuments(text(path)).map((document) => document.toJS() as Manifest),
)
const known = new Set(settingKeys.map(envNameOf))
const ours = (names: readonly string[]) => names.filter((name) => name.startsWith('GOSSAMER_'))

describe('the manifests for Kubernetes', () => {
  test('set existing settings to valid values', () => {
    const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.['data'] as Record<string, string>
    const secrets = manifests.find(({ kind }) => kind === 'Secret')?.['stringData'] as Record<string, string>
    const env = { ...config, ...secrets }
    expect(ours(Object.keys(env)).filter((name) => !known.has(name))).toEqual([])
    expect(readConfig({}, env)).toMatchObject({ host: '0.0.0.0', databaseUrl: expect.any(String) })
    const secret = Object.keys(config).filter((name) => /KEY|TOKEN|DATABASE/.test(name))
    expect(secret).toEqual([])
  })

  test('name only existing settings and pods', () => {
    const all = globSync('**/*.{yaml,md}', { cwd: folder }).map(text).join('\n')
    const named = [...new Set(all.match(/GOSSAMER_[A-Z_]+/g))]
    expect(named.filter((name) => !known.has(name))).toEqual([])
    const pods = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => JSON.stringify((spec as { selector: object }).selector))
    expect(new Set(pods).size).toBe(pods.length)
    const scaled = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.['spec']
    expect(manifests.map(({ metadata }) => metadata.name)).toContain(
      (scaled as { scaleTargetRef: { name: string } }).scaleTargetRef.name,
    )
  })
})

test('the compose file sets existing settings to valid values, and waits for existing services', () => {
  type Service = { environment?: Record<string, string>; depends_on?: Record<string, unknown> }
  const { services } = parse(text('compose/compose.yaml'), { merge: true }) as { services: Record<string, Service> }
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['api', 'worker', 'browser', 'postgres']))
  for (const [name, { environment = {}, depends_on: others = {} }] of Object.entries(services)) {
    expect(
      ours(Object.keys(environment)).filter((each) => !known.has(each)),
      name,
    ).toEqual([])
    expect(Object.keys(others).filter((each) => services[each] === undefined)).toEqual([])
  }
  const env = Object.entries(services['worker']?.environment ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{[^}]+\}/g, 'a-long-enough-secret'),
  ])
  expect(readConfig({}, Object.fromEntries(env))).toMatchObject({
    role: 'worker',
    httpHosts: ['api', 'worker', 'browser'],
  })
})

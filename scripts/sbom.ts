import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Facts = { name: string; version: string; license: string }

const factsOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Facts

/** `pkg:npm/%40scope/name@1.0.0` */
const purlOf = ({ name, version }: Facts) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * CycloneDX 1.6 list of bundled packages and licences: the packages in `folders`, and those that one of them contains a
 * copy of. Deterministic.
 */
export function sbomOf(folders: readonly string[], held: readonly Facts[]): string {
  const own = factsOf('.')
  const component = (type: 'application' | 'library', facts: Facts) => ({
    type,
    'bom-ref': purlOf(facts),
    name: facts.name,
    version: facts.version,
    licenses: [{ expression: facts.license }],
    purl: purlOf(facts),
  })
  const bundled = [...folders.map(factsOf), ...held].toSorted((one, other) => (purlOf(one) < purlOf(other) ? -1 : 1))
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component('application', own) },
    components: bundled.map((facts) => component('library', facts)),
    dependencies: [
      { ref: purlOf(own), dependsOn: bundled.map(purlOf) },
      ...bundled.map((facts) => ({ ref: purlOf(facts) })),
    ],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

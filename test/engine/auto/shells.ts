import { frameworkShells } from './shell-frameworks.ts'
import { toldShells } from './shell-signs.ts'

/** Pages that show nothing until their scripts have run. */
export const shells = [...frameworkShells, ...toldShells].map(([name, html]) => ({ name, html }))

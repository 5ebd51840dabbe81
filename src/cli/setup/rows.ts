import { homedir } from 'node:os'
import { UsageError } from '../command.ts'
import { type ClientName, clientNames, clientOf, type Machine } from './clients.ts'
import { readConfigFile } from './config-file.ts'
import { entryIn } from './edit.ts'

/** This machine, as clients find their configs on it. */
export const thisMachine = (): Machine => ({
  platform: process.platform,
  home: homedir(),
  // oxlint-disable-next-line node/no-process-env -- where programs keep their settings is no setting of ours
  env: process.env,
})

export type SetupRow = {
  client: ClientName
  title: string
  file: string
  state: 'set up' | 'not set up' | 'no file' | 'broken'
}

/** Every client, with what its config says of the server. */
export async function setupRows(): Promise<SetupRow[]> {
  const rows: SetupRow[] = []
  for (const client of clientNames) rows.push(await rowOf(client))
  return rows
}

async function rowOf(name: ClientName): Promise<SetupRow> {
  const client = clientOf(name)
  const file = client.file(thisMachine())
  const row = (state: SetupRow['state']): SetupRow => ({ client: name, title: client.title, file, state })
  try {
    const { path, text } = await readConfigFile(file)
    if (text === undefined) return row('no file')
    return row(entryIn(text, { ...client, path }) ? 'set up' : 'not set up')
  } catch (error) {
    if (error instanceof UsageError) return row('broken')
    throw error
  }
}

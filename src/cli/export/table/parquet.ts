import { open } from 'node:fs/promises'
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { version } from '../../../version.ts'
import { type Cell, columns, type ColumnType, type Row } from './columns.ts'

/** A row group is held in memory until it is written: it ends with the first row that reaches one of these. */
const maxGroup = { rows: 10_000, characters: 4 * 1024 * 1024 }

const types = {
  text: 'STRING',
  integer: 'INT32',
  real: 'DOUBLE',
  time: 'TIMESTAMP',
  json: 'STRING',
} as const satisfies Record<ColumnType, string>

/** Writes a Parquet file, compressed with Snappy, one row group after the other. */
export async function writeParquet(rows: AsyncIterable<Row>, path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    const bytes = new ByteWriter()
    const flush = async () => {
      await file.appendFile(bytes.getBytes())
      bytes.index = 0
    }
    const schema = schemaFromColumnData({ columnData: columnsOf([]) })
    const writer = new ParquetWriter({
      writer: Object.assign(bytes, { flush }),
      schema,
      createdBy: `gossamer version ${version}`,
    })
    for await (const group of groupsOf(rows))
      await writer.write({ columnData: columnsOf(group), rowGroupSize: group.length })
    await writer.finish()
    await flush()
  } finally {
    await file.close()
  }
}

const columnsOf = (rows: readonly Row[]) =>
  columns.map(({ name, type }, index) => ({
    name,
    type: types[type],
    nullable: true,
    // To look for texts that repeat takes as long as to write them, and Snappy finds them as well.
    ...(types[type] === 'STRING' && { encoding: 'PLAIN' as const }),
    // The places of pages would be held in memory to the end of the file.
    offsetIndex: false,
    data: rows.map((row) => parquetValue(type, row[index] ?? null)),
  }))

const parquetValue = (type: ColumnType, cell: Cell) =>
  type === 'time' && typeof cell === 'string' ? new Date(cell) : cell

async function* groupsOf(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let group: Row[] = []
  let characters = 0
  for await (const row of rows) {
    group.push(row)
    for (const cell of row) characters += typeof cell === 'string' ? cell.length : 0
    if (group.length < maxGroup.rows && characters < maxGroup.characters) continue
    yield group
    group = []
    characters = 0
  }
  if (group.length > 0) yield group
}

import { join } from 'node:path'

/** Prompt of each example, from its arguments: `node EXAMPLE.js URL QUESTION…`. */
const [url = 'https://example.com', ...words] = process.argv.slice(2)
export const prompt = `${words.join(' ') || 'What is this page about?'} Read ${url} to answer.`

/** The language model: any server with the OpenAI API, such as Ollama at http://127.0.0.1:11434/v1. */
export const model = {
  name: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  baseUrl: process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
  key: process.env.OPENAI_API_KEY ?? 'none',
}

/** A running server (`gossamer serve`), such as http://127.0.0.1:3002/mcp. Without one, each example starts its own over stdio. */
export const serverUrl = process.env.GOSSAMER_MCP_URL
export const serverHeaders = { Authorization: `Bearer ${process.env.GOSSAMER_API_KEY ?? 'none'}` }

/** Command that starts the server of this checkout, with the settings of the shell. */
export const server = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../bin/gossamer.cjs')],
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:GOSSAMER_|PATH$|HOME$)/.test(name))),
}

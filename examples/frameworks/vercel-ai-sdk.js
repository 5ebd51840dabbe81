/** Vercel AI SDK: passes the tools of the server to generateText. */
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const transport = serverUrl ? { type: 'http', url: serverUrl, headers: serverHeaders } : new StdioTransport(server)
const client = await createMCPClient({ transport })
try {
  const provider = createOpenAICompatible({ name: 'openai', baseURL: model.baseUrl, apiKey: model.key })
  const { text } = await generateText({
    model: provider(model.name),
    tools: await client.tools(),
    stopWhen: isStepCount(10),
    prompt,
  })
  console.log(text)
} finally {
  await client.close()
}

/** Mastra: an agent with the tools of the server. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const client = new MCPClient({
  servers: {
    gossamer: serverUrl ? { url: new URL(serverUrl), requestInit: { headers: serverHeaders } } : server,
  },
})
try {
  const provider = createOpenAICompatible({ name: 'openai', baseURL: model.baseUrl, apiKey: model.key })
  const agent = new Agent({
    id: 'reader',
    name: 'reader',
    instructions: 'Answer from pages that you have read.',
    model: provider(model.name),
    tools: await client.listTools(),
  })
  const { text } = await agent.generate(prompt)
  console.log(text)
} finally {
  await client.disconnect()
}

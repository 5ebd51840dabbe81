/** LangChain: the MCP adapters turn the tools of the server into LangChain tools. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const client = new MultiServerMCPClient({
  mcpServers: {
    gossamer: serverUrl
      ? { transport: 'http', url: serverUrl, headers: serverHeaders }
      : { transport: 'stdio', ...server },
  },
  // Keeps the link to the full answer in `artifact` of the tool message. By default it becomes a file URL for the model, which the
  // OpenAI API refuses; without standard blocks the adapters would read the full answer.
  useStandardContentBlocks: true,
  outputHandling: { resource_link: 'artifact' },
})
try {
  const agent = createAgent({
    model: new ChatOpenAI({ model: model.name, apiKey: model.key, configuration: { baseURL: model.baseUrl } }),
    tools: await client.getTools(),
  })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
  console.log(messages.at(-1).content)
} finally {
  await client.close()
}

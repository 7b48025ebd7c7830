/** Texts of `task.toml`, for what Harbor's own models say of them. */

/** Everything that schema 1.4 has and that is not of one step alone. */
export const wholeTask = `
schema_version = "1.4"
artifacts = ["/app/out", { source = "/srv/data", exclude = ["*.tmp"] }]
[task]
name = "example/all"
authors = [{ name = "A" }]
[environment]
os = "Linux"
cpus = 1.5
skills_dir = "/skills"
tpu = { type = "v6e", topology = "2x4" }
[environment.healthcheck]
command = "test -f /ready"
retries = 5
[[environment.mcp_servers]]
name = "maps"
transport = "http"
url = "http://maps:8000/mcp"
[verifier]
timeout_sec = 30
[verifier.environment]
docker_image = "judge:1"
[[verifier.collect]]
command = "pg_dump shop"
service = "db"
[[steps]]
name = "one & two"
min_reward = { tests = 0.5 }
healthcheck = { command = "true" }
`;

/** What Harbor refuses, and what is said here. */
export const refusedByHarbor: readonly (readonly [toml: string, problem: RegExp])[] = [
  ['[task]\nname = "no-owner"', /task\.name: expected a name such as owner\/task/],
  ['[environment]\nallowed_hosts = ["a.example"]', /environment\.allowed_hosts: expected no hosts unless/],
  ['[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["https://a.example"]', /allowed_hosts\[0\]/],
  ['[agent]\nallowed_hosts = ["a.example"]', /agent\.allowed_hosts: expected no hosts unless/],
  ['[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["*.1.2.3.4"]', /allowed_hosts\[0\]/],
  ['[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["fe80::1%eth0"]', /allowed_hosts\[0\]/],
  [
    '[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"\ncommand = "b"\nheaders = { A = "b" }',
    /mcp_servers\[0\]\.headers: expected no headers/,
  ],
  ['artifacts = [{ source = "/a", destination = "." }]', /artifacts\[0\]\.destination/],
  ['[environment]\nmemory = "much"', /environment\.memory: expected a size such as 2G, found "much"/],
  ['[environment]\nmemory = "2G"\nmemory_mb = 1', /environment\.memory: expected the 1 MiB of memory_mb/],
  ['[environment]\nos = "beos"', /environment\.os: expected "linux" or "windows", found "beos"/],
  ['[environment]\ntpu = { type = "v6e", topology = "2by4" }', /environment\.tpu\.topology/],
  ['[[environment.mcp_servers]]\nname = "a"', /environment\.mcp_servers\[0\]\.url: expected the address/],
  ['[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"', /mcp_servers\[0\]\.command/],
  [
    '[verifier]\nenvironment_mode = "shared"\nenvironment = {}',
    /verifier\.environment_mode: expected "separate"/,
  ],
  ['[[verifier.collect]]\ncommand = "a"\nservice = "-x"', /verifier\.collect\[0\]\.service/],
  ['artifacts = ["/a/../b"]', /artifacts\[0\]\.source: expected a path without "\.\."/],
  ['artifacts = [{ source = "/a", destination = "/b" }]', /artifacts\[0\]\.destination/],
  ['artifacts = [{ source = "a", service = "db" }]', /artifacts\[0\]\.source: expected an absolute path/],
  ['[[steps]]\nname = ".."', /steps\[0\]\.name: expected the name of a folder/],
  ['[[steps]]\nname = "nul.txt"', /steps\[0\]\.name: expected the name of a folder/],
  ['[[steps]]\nname = "a."', /steps\[0\]\.name: expected the name of a folder/],
  ['[[steps]]\nname = "a"\n[[steps]]\nname = "A"', /steps: expected steps with names of their own/],
];

/** Fields that Harbor does not have. */
export const namedByHarbor = {
  toml: 'schema = "1.4"\n[environment]\ngpu = 1\n[[steps]]\nname = "a"\nreward = 1\n[[artifacts]]\nsource = "/a"\nkeep = 1\n',
  fields: ['artifacts[0].keep', 'environment.gpu', 'schema', 'steps[0].reward'],
} as const;

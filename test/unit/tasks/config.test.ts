import assert from 'node:assert/strict';
import { readTaskConfig } from '../../../host/tasks/format/task-config.ts';
import { taskToml } from './folder.ts';

function problem(toml: string): string {
  try {
    readTaskConfig('t/task.toml', toml);
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'bad-task');
    return (error as Error).message;
  }
  return assert.fail('the configuration was accepted');
}

describe('task.toml', () => {
  it('fills in defaults', () => {
    const config = readTaskConfig('task.toml', taskToml);
    assert.equal(config.environment.network_mode, 'no-network');
    assert.deepEqual(config.metadata.tags, []);
    const none = {
      settings: {},
      keybindings: [],
      open: [],
      ask: [],
      gallery: false,
      known_inside: [],
      graded_folders: [],
    };
    assert.deepEqual(config.pwp, { ...none, features: ['settings'] });
  });

  it('names the file, the field, what was expected and what was found', () => {
    assert.equal(
      problem(taskToml.replace('timeout_sec = 60', 'timeout_sec = "60"')),
      't/task.toml: agent.timeout_sec: expected number, found "60"',
    );
  });

  it('reports a missing field', () => {
    assert.equal(
      problem(taskToml.replace('author_name = "A"\n', '')),
      't/task.toml: metadata.author_name: expected string, found nothing',
    );
  });

  it('reports every wrong field at once', () => {
    const message = problem(
      taskToml.replace('"easy"', '"trivial"').replace('timeout_sec = 10', 'timeout_sec = -1'),
    );
    assert.match(message, /metadata\.difficulty: expected "easy" or "medium" or "hard", found "trivial"/);
    assert.match(message, /verifier\.timeout_sec: expected more than 0, found -1/);
  });

  it('refuses an unknown field', () => {
    assert.equal(problem(`${taskToml}\nfeature = ["x"]`), 't/task.toml: pwp.feature: unknown field');
  });

  it('accepts fields that only Harbor reads', () => {
    const toml = `schema_version = "1.4"\n${taskToml}\n[environment]\ngpus = 0\ndocker_image = "x"\n[solution.env]\nA = "b"`;
    assert.equal(readTaskConfig('task.toml', toml).environment.gpus, 0);
  });

  it("accepts the author's own metadata", () => {
    const toml = taskToml.replace('[agent]', 'expert_time_estimate_min = 2\n\n[agent]');
    assert.equal(readTaskConfig('task.toml', toml).metadata['expert_time_estimate_min'], 2);
  });

  it('reports where the TOML is broken', () => {
    assert.match(problem('version = '), /^t\/task\.toml: not TOML: /);
  });

  it('accepts hosts only for an allowlist', () => {
    const hosts = '\n[environment]\nallowed_hosts = ["example.org"]\n';
    assert.match(problem(taskToml + hosts), /environment\.allowed_hosts: expected no hosts unless/);
    const list = `${taskToml}${hosts}network_mode = "allowlist"\n`;
    assert.deepEqual(readTaskConfig('task.toml', list).environment.allowed_hosts, ['example.org']);
  });

  it('keeps open files within the workspace', () => {
    assert.match(
      problem(`${taskToml}\nopen = ["../etc/passwd"]`),
      /pwp\.open\[0\]: expected a path relative to the workspace/,
    );
    assert.match(problem(`${taskToml}\nopen = ["/etc/passwd"]`), /pwp\.open\[0\]/);
  });
});

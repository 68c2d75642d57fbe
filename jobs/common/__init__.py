"""What the jobs share: configuration, session, tables, tracking, summary."""

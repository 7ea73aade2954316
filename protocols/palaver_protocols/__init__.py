"""What is said: message types, content parts, views, the role protocols and the schemas. No I/O."""

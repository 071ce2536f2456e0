"""Commands about schemas: schema files, advice, simulation of row keys, heat maps."""
